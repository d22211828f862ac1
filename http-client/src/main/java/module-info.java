/** The other side of a limit: a client that reads what servers announce, and keeps to it. */
module dev.weir.httpclient {
  requires transitive dev.weir.core;
  requires transitive java.net.http;
  requires static org.jspecify;

  exports dev.weir.httpclient;
}
