package dev.weir.guard;

import dev.weir.MemoryStore;
import dev.weir.TimeSource;
import dev.weir.internal.guard.GuardEvents;
import dev.weir.internal.guard.LocalFallbackStore;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import java.util.OptionalInt;

/** A store that answers is as good behind this guard as without it. */
final class LocalFallbackStoreContractTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    LimitStore store = MemoryStore.builder().time(time).build();
    return new LocalFallbackStore(
        store, store, claim -> false, OptionalInt.of(2), time, GuardEvents.none());
  }
}
