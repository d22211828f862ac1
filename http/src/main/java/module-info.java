/** What HTTP says of a decision, for any framework: header fields, bodies, the client's address. */
module dev.weir.http {
  requires transitive dev.weir.core;
  requires transitive dev.weir.rules;
  requires static org.jspecify;

  exports dev.weir.http;
}
