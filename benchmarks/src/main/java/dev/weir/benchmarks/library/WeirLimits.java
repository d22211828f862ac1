package dev.weir.benchmarks.library;

import dev.weir.Algorithm;
import dev.weir.Limit;
import java.time.Duration;

/** The limits that Weir is measured with. */
final class WeirLimits {
  private static final Duration DAY = Duration.ofDays(1);
  private static final long AMPLE = 1_000_000_000_000L;

  /** Slower than any contender asks, so that a key stays in use and is not forgotten meanwhile. */
  private static final long AMPLE_REFILL = 1_000_000_000L;

  /** A log of all admissions of a day would not fit: one key keeps a thousand entries instead. */
  private static final Duration LOG_OF_ONE_KEY = Duration.ofMillis(1);

  private static final Duration LOG_OF_MANY_KEYS = Duration.ofSeconds(1);

  private WeirLimits() {}

  static Limit of(Algorithm algorithm, Supply supply, boolean manyKeys) {
    return switch (supply) {
      case AMPLE -> ample(algorithm, manyKeys);
      case SINGLE -> single(algorithm);
    };
  }

  private static Limit ample(Algorithm algorithm, boolean manyKeys) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> Limit.tokenBucket(AMPLE_REFILL, DAY).withBurst(AMPLE);
      case FIXED_WINDOW -> Limit.fixedWindow(AMPLE, DAY);
      case SLIDING_WINDOW -> Limit.slidingWindow(AMPLE, DAY);
      case SLIDING_LOG -> Limit.slidingLog(AMPLE, manyKeys ? LOG_OF_MANY_KEYS : LOG_OF_ONE_KEY);
    };
  }

  private static Limit single(Algorithm algorithm) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> Limit.tokenBucket(1, DAY);
      case FIXED_WINDOW -> Limit.fixedWindow(1, DAY);
      case SLIDING_WINDOW -> Limit.slidingWindow(1, DAY);
      case SLIDING_LOG -> Limit.slidingLog(1, DAY);
    };
  }
}
