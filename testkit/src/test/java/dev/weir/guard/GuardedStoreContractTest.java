package dev.weir.guard;

import dev.weir.GuardedStore;
import dev.weir.MemoryStore;
import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import java.time.Duration;

/** A store that answers is as good behind all guards as without it. */
final class GuardedStoreContractTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    LimitStore store = MemoryStore.builder().time(time).build();
    return GuardedStore.builder(store)
        .deadline(Duration.ofSeconds(10))
        .denyCache(Duration.ZERO) // it reads the real clock, and time is moved by hand here
        .build();
  }
}
