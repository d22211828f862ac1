/** The rate limiter itself: limits, decisions, and the store inside one process. */
@SuppressWarnings("module") // they are built after this module
module dev.weir.core {
  requires static org.jspecify;

  exports dev.weir;
  exports dev.weir.spi;
  exports dev.weir.internal to
      dev.weir.client,
      dev.weir.http,
      dev.weir.redis,
      dev.weir.rules,
      dev.weir.server;
  exports dev.weir.internal.arithmetic to
      dev.weir.redis;
  exports dev.weir.internal.schedule to
      dev.weir.client,
      dev.weir.redis,
      dev.weir.rules,
      dev.weir.server;
  exports dev.weir.internal.text to
      dev.weir.http,
      dev.weir.micrometer,
      dev.weir.redis,
      dev.weir.rules,
      dev.weir.server;
}
