/** Decisions of a service that runs elsewhere. */
module dev.weir.client {
  requires transitive dev.weir.core;
  requires transitive java.net.http;
  requires com.fasterxml.jackson.core;
  requires static org.jspecify;

  exports dev.weir.client;
}
