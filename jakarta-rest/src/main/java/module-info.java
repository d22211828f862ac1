/** A filter for Jakarta REST. */
module dev.weir.rest {
  requires transitive dev.weir.http;
  requires transitive jakarta.ws.rs;
  requires static org.jspecify;

  exports dev.weir.rest;
}
