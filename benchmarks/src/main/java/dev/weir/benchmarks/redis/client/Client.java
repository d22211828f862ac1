package dev.weir.benchmarks.redis.client;

import java.util.concurrent.CompletionStage;

/** One way to ask for one permit of a key. Safe for many threads. */
public interface Client extends AutoCloseable {
  /** Waits for the answer. */
  boolean tryAcquire(String key);

  /** Does not wait. */
  CompletionStage<Boolean> ask(String key);

  @Override
  void close();
}
