/** Decisions of a service that runs elsewhere. */
module dev.weir.remote {
  requires transitive dev.weir.core;
  requires transitive java.net.http;
  requires com.fasterxml.jackson.core;
  requires static org.jspecify;

  exports dev.weir.remote;
}
