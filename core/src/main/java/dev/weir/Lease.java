package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.text.HumanDuration;
import java.time.Duration;

/**
 * How permits of a key are taken from the store in advance, to be spent in this process. Immutable.
 *
 * @param period about how often an instance asks the store for one key: 10 ms to 1 minute
 * @param onlyHotKeys whether only keys that this instance sees often are leased
 */
public record Lease(Duration period, boolean onlyHotKeys) {
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofMinutes(1);

  public Lease {
    Check.period("lease", period);
    if (period.compareTo(SHORTEST) < 0 || period.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "lease must be between 10ms and 1m, was " + HumanDuration.of(period));
    }
  }

  /** Leases every key that gets several requests in a period. */
  public static Lease every(Duration period) {
    return new Lease(period, false);
  }

  /** Leases keys that this instance sees often, with a period of one second. */
  public static Lease auto() {
    return new Lease(Duration.ofSeconds(1), true);
  }

  /** Refuses limits whose permits cannot be spent later than they are taken. */
  static void checkAlgorithm(Limit limit) {
    switch (limit.algorithm()) {
      case SLIDING_LOG ->
          throw new IllegalArgumentException(
              "lease must be left out for a sliding log, which remembers the exact time of every"
                  + " request; use sliding-window or token-bucket");
      case IN_FLIGHT ->
          throw new IllegalArgumentException(
              "lease must be left out for requests in flight, whose slots belong to one holder"
                  + " each");
      case TOKEN_BUCKET, FIXED_WINDOW, SLIDING_WINDOW -> {}
    }
    if (limit instanceof Limit.FixedWindow window && window.warnAtPercent().isPresent()) {
      throw new IllegalArgumentException(
          "lease must be left out for a limit that warns, because leased permits are counted"
              + " before they are used");
    }
  }
}
