package dev.weir.benchmarks.redis.client;

import java.time.Duration;

/** How much a key may use. */
public enum Budget {
  /** More than anybody here can ask for, so that nothing is denied; batches reach a million. */
  AMPLE(100_000_000, Duration.ofSeconds(1)),
  /**
   * A thousand per day: nothing comes back while a run lasts, so that admissions can be counted.
   */
  SCARCE(1_000, Duration.ofDays(1));

  public final long permits;
  public final Duration period;

  Budget(long permits, Duration period) {
    this.permits = permits;
    this.period = period;
  }
}
