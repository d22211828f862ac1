package dev.weir;

import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;

final class MemoryStoreTest extends LimitStoreContract {
  @Override
  protected LimitStore open(TimeSource time) {
    return MemoryStore.builder().time(time).build();
  }
}
