package dev.weir.server;

import dev.weir.redis.RedisStore;
import dev.weir.server.service.SharedText;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** A text in the Redis that instances share. */
record RedisText(RedisStore redis, String name) implements SharedText {
  @Override
  public Optional<String> read() {
    return await(redis.texts().get(name));
  }

  @Override
  public boolean swap(Optional<String> read, Optional<String> next) {
    return await(redis.texts().swap(name, read, next));
  }

  private static <T> T await(CompletionStage<T> call) {
    try {
      return call.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }
}
