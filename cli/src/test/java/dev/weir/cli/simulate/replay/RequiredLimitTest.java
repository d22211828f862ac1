package dev.weir.cli.simulate.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.cli.time.VirtualTime;
import java.time.Duration;
import java.util.Random;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/**
 * Held against limiters: with the number a key needs nothing is denied, with one less something.
 */
final class RequiredLimitTest {
  private static final Duration PERIOD = Duration.ofSeconds(10);

  @Test
  void ofAFixedWindow() {
    isSmallest(n -> Limit.fixedWindow(n, PERIOD));
  }

  @Test
  void ofASlidingWindow() {
    isSmallest(n -> Limit.slidingWindow(n, PERIOD));
  }

  @Test
  void ofASlidingLog() {
    isSmallest(n -> Limit.slidingLog(n, PERIOD));
  }

  @Test
  void ofTheBurstOfABucket() {
    isSmallest(n -> new Limit.TokenBucket(n, 1, PERIOD));
  }

  @Test
  void ofABucketAsDeepAsItsRateItIsEnough() {
    for (int seed = 0; seed < 50; seed++) {
      long need = need(Limit.tokenBucket(7, PERIOD), seed);
      assertThat(denied(Limit.tokenBucket(need, PERIOD), seed)).isZero();
    }
  }

  private static void isSmallest(LongFunction<Limit> limit) {
    for (int seed = 0; seed < 50; seed++) {
      long need = need(limit.apply(2), seed);
      assertThat(denied(limit.apply(need), seed)).isZero();
      assertThat(denied(limit.apply(need - 1), seed)).isPositive();
    }
  }

  private static long need(Limit limit, int seed) {
    RequiredLimit need = RequiredLimit.of(limit);
    long[] most = {0};
    trace(seed, (at, permits) -> most[0] = Math.max(most[0], need.after(at, permits)));
    return most[0];
  }

  private static int denied(Limit limit, int seed) {
    VirtualTime time = new VirtualTime();
    int[] denied = {0};
    try (RateLimiter limiter = RateLimiter.builder().time(time).limit("l", limit).build()) {
      trace(
          seed,
          (at, permits) -> {
            time.moveTo(at);
            denied[0] += limiter.decide("key", permits).allowed() ? 0 : 1;
          });
    }
    return denied[0];
  }

  /** Whole halves of a second: apart by more than what is counted as one. */
  private static void trace(int seed, Requests requests) {
    Random random = new Random(seed);
    long at = 0;
    for (int i = 0; i < 300; i++) {
      at += random.nextInt(random.nextInt(10) == 0 ? 60 : 4) * 500_000L;
      requests.add(at, 2 + random.nextInt(4));
    }
  }

  private interface Requests {
    void add(long atMicros, long permits);
  }
}
