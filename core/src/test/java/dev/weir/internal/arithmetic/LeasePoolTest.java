package dev.weir.internal.arithmetic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class LeasePoolTest {
  private static final long EARLY_LIFE_MICROS = 55_000;
  private static final long LIFE_MICROS = 100_000;

  private final LeasePool bucket =
      new LeasePool(Limit.tokenBucket(1000, Duration.ofSeconds(1)), EARLY_LIFE_MICROS, LIFE_MICROS);
  private final LeasePool window =
      new LeasePool(Limit.fixedWindow(1000, Duration.ofSeconds(1)), LIFE_MICROS, LIFE_MICROS);

  private void lease(long permits, long atMillis) {
    bucket.add(permits, millis(atMillis), millis(atMillis), atMillis * 1000, 1_000_000);
  }

  private static long millis(long millis) {
    return millis * 1_000_000;
  }

  @Test
  void halfOfALeaseOfABucketEndsEarly() {
    lease(101, 0);
    assertThat(bucket.unspent(millis(54))).isEqualTo(101);
    assertThat(bucket.unspent(millis(55))).isEqualTo(50);
    assertThat(bucket.unspent(millis(99))).isEqualTo(50);
    assertThat(bucket.unspent(millis(100))).isZero();
    assertThat(bucket.takeLost()).isEqualTo(101);
  }

  @Test
  void aSinglePermitEndsEarly() {
    lease(1, 0);
    assertThat(bucket.leftNanos(0)).isBetween(millis(54), millis(55));
  }

  /** The early half of the second lease ends at 75 ms, before the late half of the first. */
  @Test
  void whatEndsFirstIsSpentFirst() {
    lease(100, 0);
    lease(100, 20);
    bucket.take(100, millis(30));
    assertThat(bucket.unspent(millis(76))).isEqualTo(100);
    assertThat(bucket.unspent(millis(101))).isEqualTo(50);
    assertThat(bucket.takeLost()).isEqualTo(50);
  }

  @Test
  void aLeaseIsDueWhenFewPermitsAreLeftOrTheyEndSoon() {
    assertThat(bucket.isLow(0, 0, 0)).as("nothing is leased").isTrue();
    lease(100, 0);
    bucket.take(97, millis(1));
    assertThat(bucket.isLow(millis(1), 3, millis(10))).isFalse();
    assertThat(bucket.isLow(millis(1), 4, millis(10))).isTrue();
    assertThat(bucket.isLow(millis(89), 3, millis(10))).isFalse();
    assertThat(bucket.isLow(millis(91), 3, millis(10))).isTrue();
  }

  @Test
  void aSmallLeaseIsNotLowAtOnce() {
    lease(10, 0);
    assertThat(bucket.isLow(0, 100, 0)).isFalse();
    bucket.take(8, 0);
    assertThat(bucket.isLow(0, 100, 0)).isTrue();
  }

  @Test
  void theEndOfAWindowIsNoReasonToLease() {
    window.add(100, 0, 0, 0, 50_000);
    assertThat(window.isLow(millis(49), 3, millis(10))).isFalse();
  }

  @Test
  void whatCannotBeSpentInTimeIsNotSpendable() {
    lease(100, 0);
    assertThat(bucket.spendable(0, 10_000)).isCloseTo(100.0, within(0.1));
    assertThat(bucket.spendable(0, 500)).isCloseTo(50.0, within(0.1));
    assertThat(bucket.spendable(millis(90), 500)).isCloseTo(5.0, within(0.1));
  }
}
