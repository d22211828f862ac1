package dev.weir.spring.internal.store;

import dev.weir.spi.LimitStore;

/** Wraps the store inside the guards, to measure its latency for example. */
@FunctionalInterface
public interface StoreDecorator {
  LimitStore decorate(LimitStore store);
}
