package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that keeps its name and gets another limit keeps what was used. */
final class ChangedLimitTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long MOST = (1L << 53) - 1;

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  /** Limits of one shape, so that each can follow each; logs follow only logs. */
  static Stream<Arguments> pairs() {
    return Stream.of(MINUTE, HOUR)
        .flatMap(
            period ->
                shapes(10, MINUTE)
                    .flatMap(from -> shapes(10, period).map(to -> new Limit[] {from, to})))
        .filter(pair -> isLog(pair[0]) == isLog(pair[1]))
        .map(pair -> Arguments.of(pair[0], pair[1]));
  }

  static Stream<Limit> shapes(long permits, Duration period) {
    return Stream.of(
        Limit.tokenBucket(permits, period),
        Limit.fixedWindow(permits, period),
        Limit.fixedWindow(permits, period).fromFirstUse(),
        Limit.slidingWindow(permits, period),
        Limit.slidingLog(permits, period));
  }

  static Stream<Limit> tenPerMinute() {
    return shapes(10, MINUTE);
  }

  private static boolean isLog(Limit limit) {
    return limit.algorithm() == Algorithm.SLIDING_LOG;
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void whatWasUsedIsCarriedOver(Limit from, Limit to) {
    time.advance(Duration.ofSeconds(7));
    limiter(from).tryAcquire("key", 6);
    assertThat(limiter(to).peek("key").remaining()).isEqualTo(4);
    assertThat(limiter(to).tryAcquire("key", 5)).isFalse();
    assertThat(limiter(to).tryAcquire("key", 4)).isTrue();
    assertThat(limiter(to).tryAcquire("key", 1)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void nobodyIsLockedOutBeyondTwoWindowsOfTheNewLimit(Limit from, Limit to) {
    time.advance(Duration.ofSeconds(7));
    limiter(from).tryAcquire("key", 10);
    Decision denied = limiter(to).decide("key");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfter()).isLessThanOrEqualTo(to.period().multipliedBy(2));
    assertThat(denied.resetAfter()).isLessThanOrEqualTo(to.period().multipliedBy(2));
    time.advance(denied.retryAfter());
    assertThat(limiter(to).tryAcquire("key")).isTrue();
  }

  @ParameterizedTest
  @MethodSource("tenPerMinute")
  void aRaisedLimitAddsOnlyTheDifference(Limit limit) {
    limiter(limit).tryAcquire("key", 10);
    Limit raised = like(limit, 25, MINUTE);
    assertThat(limiter(raised).peek("key").remaining()).isEqualTo(15);
  }

  @ParameterizedTest
  @MethodSource("tenPerMinute")
  void aLoweredLimitLeavesNothingAndRecoversWithinTwoOfItsWindows(Limit limit) {
    limiter(limit).tryAcquire("key", 10);
    RateLimiter lowered = limiter(like(limit, 3, Duration.ofSeconds(1)));
    Decision denied = lowered.decide("key");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.remaining()).isZero();
    assertThat(denied.retryAfter()).isLessThanOrEqualTo(Duration.ofSeconds(2));
    time.advance(Duration.ofSeconds(2));
    assertThat(lowered.tryAcquire("key", 3)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("tenPerMinute")
  void readingUnderAnotherLimitChangesNothing(Limit limit) {
    RateLimiter old = limiter(limit);
    old.tryAcquire("key", 10);
    time.advance(Duration.ofSeconds(3));
    Duration wait = old.peek("key").retryAfter();
    RateLimiter shorter = limiter(like(limit, 3, Duration.ofSeconds(1)));
    shorter.peek("key");
    shorter.decide("key", 0);
    shorter.tryAcquire("key", 0);
    assertThat(store.keys()).isEqualTo(1);
    assertThat(old.peek("key").retryAfter()).isEqualTo(wait);
  }

  @Test
  void aChangeToTheLargestRateKeepsWhatWasUsed() {
    limiter(Limit.fixedWindow(1_000, MINUTE)).tryAcquire("key", 1_000);
    RateLimiter largest = limiter(Limit.tokenBucket(MOST, Duration.ofSeconds(1)));
    assertThat(largest.peek("key").remaining()).isEqualTo(MOST - 1_000);
  }

  @Test
  void aBucketChangedToTheLargestRateKeepsWhatWasUsed() {
    limiter(Limit.tokenBucket(1_000, MINUTE)).tryAcquire("key", 1_000);
    RateLimiter largest = limiter(Limit.tokenBucket(MOST, Duration.ofSeconds(1)));
    assertThat(largest.peek("key").remaining()).isEqualTo(MOST - 1_000);
  }

  @Test
  void twoBucketsTakingTurnsAdmitAtMostTheLargerBurstAndRate() {
    RateLimiter slow = limiter(Limit.tokenBucket(7, MINUTE));
    RateLimiter quick = limiter(Limit.tokenBucket(11, MINUTE));
    long admitted = 0;
    int seconds = 3_600;
    for (int i = 0; i < seconds * 100; i++) {
      admitted += (i % 2 == 0 ? slow : quick).tryAcquire("key") ? 1 : 0;
      time.advance(Duration.ofMillis(10));
    }
    assertThat(admitted).isBetween(7L * 60 - 1, 11L + 11 * 60);
  }

  @Test
  void twoFixedWindowsTakingTurnsAreFreshAtTheirCommonEdge() {
    RateLimiter minute = limiter(Limit.fixedWindow(5, MINUTE));
    RateLimiter hour = limiter(Limit.fixedWindow(5, HOUR));
    assertThat(minute.tryAcquire("key", 5)).isTrue();
    for (int second = 0; second < 3_600; second++) {
      assertThat((second % 2 == 0 ? hour : minute).tryAcquire("key", 6)).isFalse();
      time.advance(Duration.ofSeconds(1));
    }
    assertThat(hour.peek("key").remaining()).isEqualTo(5);
    assertThat(minute.peek("key").remaining()).isEqualTo(5);
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void aDenialUnderAnotherLimitChangesNothing(Limit from, Limit to) {
    time.advance(Duration.ofSeconds(7));
    RateLimiter old = limiter(from);
    old.charge("key", 17); // into debt
    time.advance(Duration.ofSeconds(3));
    Decision before = old.peek("key", 5);
    RateLimiter other = limiter(like(to, 5, to.period()));
    assertThat(other.tryAcquire("key", 5)).isFalse();
    assertThat(other.decide("key", 5).allowed()).isFalse();
    assertThat(other.decide("key", 6).allowed()).isFalse();
    Decision after = old.peek("key", 5);
    assertThat(after.remaining()).isEqualTo(before.remaining());
    assertThat(after.retryAfter()).isEqualTo(before.retryAfter());
    assertThat(after.resetAfter()).isEqualTo(before.resetAfter());
  }

  @Test
  void aDenialForgivesNothingThatTakesMoreThanACenturyToRefill() {
    RateLimiter quick = limiter(Limit.tokenBucket(1000, Duration.ofDays(1)));
    quick.tryAcquire("key", 1000);
    RateLimiter slow = limiter(Limit.tokenBucket(1, Duration.ofDays(365)));
    assertThat(slow.tryAcquire("key")).isFalse();
    assertThat(slow.charge("key", 1).remaining()).isZero();
    assertThat(quick.peek("key").remaining()).isZero();
  }

  @Test
  void twoPeeksAgreeAfterTheWindowOfALogWasLengthened() {
    limiter(Limit.slidingLog(10, MINUTE)).tryAcquire("key", 6);
    RateLimiter longer = limiter(Limit.slidingLog(10, HOUR));
    time.advance(Duration.ofSeconds(59));
    assertThat(longer.peek("key", 5).retryAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(longer.peek("key", 5).resetAfter()).isEqualTo(Duration.ofSeconds(1));
    time.advance(Duration.ofSeconds(1));
    assertThat(longer.peek("key").remaining()).isEqualTo(10);
    assertThat(longer.peek("key").remaining()).isEqualTo(10);
  }

  /** Two tries, since a look must not move what the next one is measured from. */
  @ParameterizedTest
  @MethodSource("pairs")
  void theWaitThatAPeekNamesAfterAChangeSufficesAndNoMicrosecondLessDoes(Limit from, Limit to) {
    time.advance(Duration.ofSeconds(7));
    limiter(from).tryAcquire("key", 10);
    time.advance(Duration.ofMillis(1));
    RateLimiter changed = limiter(like(to, 7, to.period().dividedBy(3)));
    Duration wait = changed.peek("key", 4).retryAfter();
    time.advance(wait.dividedBy(2));
    assertThat(changed.peek("key", 4).retryAfter()).isEqualTo(wait.minus(wait.dividedBy(2)));
    time.advance(changed.peek("key", 4).retryAfter().minusNanos(1000));
    assertThat(changed.peek("key", 4).allowed()).isFalse();
    time.advance(Duration.ofNanos(1000));
    assertThat(changed.peek("key", 4).allowed()).isTrue();
  }

  /**
   * 100 in use at the last admission, 50 now. A burst of 50 or more leaves min(burst, used now); of
   * a smaller one, two bursts count as of the last admission, and the rest is forgiven.
   */
  @ParameterizedTest
  @CsvSource({"100, 50", "80, 30", "50, 0", "49, 1", "40, 10", "25, 25", "10, 10"})
  void aLoweredBurstLeavesWhatIsInUseNow(long burst, long remaining) {
    Limit.TokenBucket limit = Limit.tokenBucket(100, Duration.ofSeconds(100));
    limiter(limit).tryAcquire("key", 100);
    time.advance(Duration.ofSeconds(50));
    RateLimiter lowered = limiter(limit.withBurst(burst));
    assertThat(lowered.peek("key").remaining()).isEqualTo(remaining);
    assertThat(lowered.peek("key", remaining + 1).allowed()).isFalse();
    time.advance(Duration.ofSeconds(20));
    assertThat(lowered.peek("key").remaining()).isEqualTo(Math.min(burst, remaining + 20));
  }

  /** docs/algorithms.md, "Changing a limit while it is in use". */
  @Test
  void theExamplesOfTheGuideHold() {
    limiter(Limit.tokenBucket(1000, MINUTE)).tryAcquire("three hundred", 300);
    RateLimiter hundred = limiter(Limit.tokenBucket(100, MINUTE));
    assertThat(hundred.decide("three hundred").retryAfter()).isEqualTo(Duration.ofSeconds(18));
    assertThat(limiter(Limit.tokenBucket(1000, MINUTE)).peek("three hundred").remaining())
        .isEqualTo(700);
    hundred.tryAcquire("eighty", 80);
    RateLimiter fifty = limiter(Limit.tokenBucket(100, MINUTE).withBurst(50));
    assertThat(fifty.decide("eighty").retryAfter()).isEqualTo(Duration.ofMillis(18_600));
  }

  private RateLimiter limiter(Limit limit) {
    return RateLimiter.builder()
        .name("limiter")
        .limit("limit", limit)
        .store(store)
        .time(time)
        .build();
  }

  private static Limit like(Limit limit, long permits, Duration period) {
    return shapes(permits, period)
        .filter(shape -> shape.algorithm() == limit.algorithm())
        .filter(shape -> sameWindows(shape, limit))
        .findFirst()
        .orElseThrow();
  }

  private static boolean sameWindows(Limit a, Limit b) {
    return !(a instanceof Limit.FixedWindow x && b instanceof Limit.FixedWindow y)
        || x.window().getClass() == y.window().getClass();
  }
}
