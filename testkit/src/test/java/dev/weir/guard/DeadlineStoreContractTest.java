package dev.weir.guard;

import dev.weir.MemoryStore;
import dev.weir.TimeSource;
import dev.weir.internal.guard.DeadlineStore;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import java.time.Duration;

/** A store that answers is as good behind this guard as without it. */
final class DeadlineStoreContractTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    LimitStore store = MemoryStore.builder().time(time).build();
    return new DeadlineStore(store, Duration.ofSeconds(10));
  }
}
