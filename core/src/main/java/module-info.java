/** The rate limiter itself: limits, decisions, and the store inside one process. */
@SuppressWarnings("module") // dev.weir.redis is built after this module
module dev.weir.core {
  requires static org.jspecify;

  exports dev.weir;
  exports dev.weir.spi;
  exports dev.weir.internal to
      dev.weir.redis;
  exports dev.weir.internal.arithmetic to
      dev.weir.redis;
}
