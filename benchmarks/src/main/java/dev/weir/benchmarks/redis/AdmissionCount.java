package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.LoadGenerator.MeasuredInterval;
import dev.weir.benchmarks.redis.client.LimiterClient;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import java.time.Duration;
import java.util.List;

/**
 * How many were admitted of many more that asked, from a key that has a thousand.
 *
 * @param allowed the most that may be admitted
 */
record AdmissionCount(long asked, long admitted, long allowed) {
  private static final int CALLERS = 64;
  private static final long ASKS_PER_CALLER = 50;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** A limiter that cannot say "per day" refills once per second; that is no fault here. */
  static AdmissionCount take(RedisContender contender, String uri) throws InterruptedException {
    try (LimiterClient client = contender.open(uri, PermitBudget.SCARCE)) {
      MeasuredInterval window = MeasuredInterval.after(Duration.ZERO, LONGEST);
      LoadGenerator crowd = new LoadGenerator(client, List.of("exact"), window, ASKS_PER_CALLER);
      CallStatistics tally = crowd.threads(CALLERS);
      long seconds = (System.nanoTime() - window.fromNanos()) / 1_000_000_000 + 1;
      long refilled = contender == RedisContender.GATEWAY ? seconds : 0;
      return new AdmissionCount(
          tally.asked(), tally.admitted(), PermitBudget.SCARCE.permits + refilled);
    }
  }

  String verdict() {
    if (admitted > allowed) {
      return admitted - allowed + " too many";
    }
    long least = Math.min(asked, PermitBudget.SCARCE.permits);
    return admitted < least ? least - admitted + " too few" : "exact";
  }
}
