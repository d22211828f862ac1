package dev.weir.guard;

import dev.weir.MemoryStore;
import dev.weir.TimeSource;
import dev.weir.internal.guard.DenyCacheStore;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import java.time.Duration;

/** A store that answers is as good behind this guard as without it. */
final class DenyCacheStoreContractTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    LimitStore store = MemoryStore.builder().time(time).build();
    return new DenyCacheStore(store, Duration.ofSeconds(1), 1000, () -> time.nowMicros() * 1000);
  }
}
