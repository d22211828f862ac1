/** Limits whose state lives in Redis or Valkey. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Lettuce has no module descriptor of its own
module dev.weir.redis {
  requires transitive dev.weir.core;
  requires transitive lettuce.core;
  requires io.netty.buffer;
  requires io.netty.common;
  // Needed by Lettuce, which as an automatic module cannot say so.
  requires io.netty.handler;
  requires io.netty.resolver.dns;
  requires io.netty.transport;
  requires jdk.net; // times of TCP keep-alive
  requires static org.jspecify;

  exports dev.weir.redis;
}
