/** Limits whose state lives in Redis or Valkey. */
@SuppressWarnings({
  "requires-automatic",
  "requires-transitive-automatic"
}) // Lettuce has no module descriptor of its own
module dev.weir.redis {
  requires transitive dev.weir.core;
  requires transitive lettuce.core;
  requires io.netty.common;
  requires static org.jspecify;

  exports dev.weir.redis;
}
