package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.client.Budget;
import dev.weir.benchmarks.redis.client.Client;
import java.time.Duration;
import java.util.List;

/**
 * How many were admitted of many more that asked, from a key that has a thousand.
 *
 * @param allowed the most that may be admitted
 */
record Count(long asked, long admitted, long allowed) {
  private static final int CALLERS = 64;
  private static final long ASKS_PER_CALLER = 50;
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** A limiter that cannot say "per day" refills once per second; that is no fault here. */
  static Count take(RedisContender contender, String uri) throws InterruptedException {
    try (Client client = contender.open(uri, Budget.SCARCE)) {
      Window window = Window.after(Duration.ZERO, LONGEST);
      LoadGenerator crowd = new LoadGenerator(client, List.of("exact"), window, ASKS_PER_CALLER);
      Tally tally = crowd.threads(CALLERS);
      long seconds = (System.nanoTime() - window.fromNanos()) / 1_000_000_000 + 1;
      long refilled = contender == RedisContender.GATEWAY ? seconds : 0;
      return new Count(tally.asked(), tally.admitted(), Budget.SCARCE.permits + refilled);
    }
  }

  String verdict() {
    if (admitted > allowed) {
      return admitted - allowed + " too many";
    }
    long least = Math.min(asked, Budget.SCARCE.permits);
    return admitted < least ? least - admitted + " too few" : "exact";
  }
}
