package dev.weir.guard;

import dev.weir.GuardListener;
import dev.weir.MemoryStore;
import dev.weir.TimeSource;
import dev.weir.internal.guard.BreakerStore;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;

/** A store that answers is as good behind this guard as without it. */
final class BreakerStoreContractTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    LimitStore store = MemoryStore.builder().time(time).build();
    return new BreakerStore(store, 5, new GuardListener() {});
  }
}
