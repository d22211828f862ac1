package dev.weir.examples;

import dev.weir.GuardedStore;
import dev.weir.redis.RedisStore;
import dev.weir.spi.LimitStore;
import java.time.Duration;

/** State that all instances of an application share, in Redis. Any example runs over it. */
final class SharedStore {
  private SharedStore() {}

  static LimitStore open(String uri) {
    return GuardedStore.builder(RedisStore.connect(uri)).deadline(Duration.ofMillis(50)).build();
  }
}
