package dev.weir.guard;

import dev.weir.GuardListener;
import dev.weir.MemoryStore;
import dev.weir.TimeSource;
import dev.weir.internal.guard.LocalShareStore;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import java.util.OptionalInt;

/** A store that answers is as good behind this guard as without it. */
final class LocalShareStoreContractTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    LimitStore store = MemoryStore.builder().time(time).build();
    return new LocalShareStore(store, OptionalInt.of(2), new GuardListener() {});
  }
}
