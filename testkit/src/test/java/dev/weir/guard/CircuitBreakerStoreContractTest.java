package dev.weir.guard;

import dev.weir.MemoryStore;
import dev.weir.TimeSource;
import dev.weir.internal.guard.CircuitBreakerStore;
import dev.weir.internal.guard.GuardEvents;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;

/** A store that answers is as good behind this guard as without it. */
final class CircuitBreakerStoreContractTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    LimitStore store = MemoryStore.builder().time(time).build();
    return new CircuitBreakerStore(store, 5, GuardEvents.none());
  }
}
