package dev.weir.benchmarks.redis.client;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** One way to ask for one permit of a key. Safe for many threads. */
public interface LimiterClient extends AutoCloseable {
  /** Waits for the answer. */
  boolean tryAcquire(String key);

  /** Does not wait. */
  CompletionStage<Boolean> ask(String key);

  @Override
  void close();

  /** How much a key may use. */
  public enum PermitBudget {
    /** More than anybody here can ask for, so that nothing is denied; batches reach a million. */
    AMPLE(100_000_000, Duration.ofSeconds(1)),
    /**
     * A thousand per day: nothing comes back while a run lasts, so that admissions can be counted.
     */
    SCARCE(1_000, Duration.ofDays(1));

    public final long permits;
    public final Duration period;

    PermitBudget(long permits, Duration period) {
      this.permits = permits;
      this.period = period;
    }
  }
}
