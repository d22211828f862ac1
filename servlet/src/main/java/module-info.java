/** A filter for servlet containers. */
module dev.weir.servlet {
  requires transitive dev.weir.http;
  requires transitive jakarta.servlet;
  requires static org.jspecify;

  exports dev.weir.servlet;
}
