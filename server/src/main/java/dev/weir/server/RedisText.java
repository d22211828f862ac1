package dev.weir.server;

import dev.weir.internal.CompletionFailures;
import dev.weir.redis.RedisStore;
import dev.weir.server.service.FleetText;
import java.util.Optional;

/** A text in the Redis that instances share. */
record RedisText(RedisStore redis, String name) implements FleetText {
  @Override
  public Optional<String> read() {
    return CompletionFailures.join(redis.texts().get(name));
  }

  @Override
  public boolean swap(Optional<String> read, Optional<String> next) {
    return CompletionFailures.join(redis.texts().swap(name, read, next));
  }
}
