package dev.weir.spring.internal.store;

import dev.weir.spi.LimitStore;

/** Something right around the store, inside the guards: the measuring of its latency. */
@FunctionalInterface
public interface StoreDecorator {
  LimitStore decorate(LimitStore store);
}
