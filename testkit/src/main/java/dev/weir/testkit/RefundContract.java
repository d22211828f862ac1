package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The part of {@link LimitStoreContract} about charges, refunds and resets. */
abstract class RefundContract extends BudgetContract {
  static Stream<Limit> limitsOfFive() {
    return Stream.of(
        Limit.tokenBucket(5, SECOND),
        Limit.fixedWindow(5, SECOND),
        Limit.fixedWindow(5, SECOND).fromFirstUse(),
        Limit.fixedWindow(5, CalendarUnit.DAY, ZoneId.of("Europe/Berlin")),
        Limit.slidingWindow(5, SECOND),
        Limit.slidingLog(5, SECOND));
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aChargeFitsAsLongAsItLeavesNoDebt(Limit limit) {
    RateLimiter limiter = limiter(limit);
    assertThat(limiter.charge("key", 5).outcomes().get(0).allowed()).isTrue();
    assertThat(limiter.charge("key", 0).outcomes().get(0).allowed()).isTrue();
    assertThat(limiter.charge("key", 1).outcomes().get(0).allowed()).isFalse();
    assertThat(limiter.charge("key", 0).outcomes().get(0).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aChargeGoesIntoDebtOfAtMostOneCapacity(Limit limit) {
    RateLimiter limiter = limiter(limit);
    limiter.decide("key", 4);
    Decision charged = limiter.charge("key", 100);
    assertThat(charged.allowed()).isTrue();
    assertThat(charged.outcomes().get(0).allowed()).isFalse();
    assertThat(charged.remaining()).isZero();
    assertThat(limiter.decide("key").allowed()).isFalse();
    limiter.refund("key", 5);
    assertThat(limiter.peek("key").remaining()).isZero();
    limiter.refund("key", 2);
    assertThat(limiter.peek("key").remaining()).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aReceiptGivesBackWhatWasTaken(Limit limit) {
    RateLimiter limiter = limiter(limit);
    Decision first = limiter.decide("key", 3);
    limiter.decide("key", 1);
    limiter.refund(first);
    assertThat(limiter.peek("key").remaining()).isEqualTo(4);
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aReceiptIsWorthNothingOnceItsPermitsAreBack(Limit limit) {
    RateLimiter limiter = limiter(limit);
    Decision first = limiter.decide("key", 5);
    time.advance(first.resetAfter());
    limiter.decide("key", 5);
    limiter.refund(first);
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void twoGrantsOfOneKeyInOneReceiptAreBothGivenBack(Limit limit) {
    RateLimiter limiter = limiter(limit);
    List<Receipt.Grant> grants = new ArrayList<>();
    for (int micros : new int[] {0, 0, 1}) { // at one time, and at another
      time.advanceMicros(micros);
      grants.addAll(limiter.decide("key", 1).receipt().orElseThrow().grants());
    }
    limiter.decide("key", 2);
    await(store.refund(new Receipt(grants)));
    assertThat(limiter.peek("key").remaining()).isEqualTo(3);
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aReceiptOfATimeAtWhichNothingWasGrantedGivesNothingBack(Limit limit) {
    RateLimiter limiter = limiter(limit);
    List<Claim> claims = limiter.decide("key", 5).receipt().orElseThrow().claims();
    long now = time.nowMicros();
    for (long at : new long[] {Long.MIN_VALUE, -1, 0, now + 1, now + 500_000, Long.MAX_VALUE}) {
      await(store.refund(Receipt.granted(claims, at)));
      assertThat(limiter.peek("key").remaining()).as("granted at %d", at).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aRefundNeverGoesAboveFresh(Limit limit) {
    RateLimiter limiter = limiter(limit);
    limiter.refund("key", 3);
    limiter.decide("key", 1);
    limiter.refund("key", Long.MAX_VALUE);
    assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    assertThat(limiter.decide("key", 6).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void resetForgetsOneKeyOnly(Limit limit) {
    RateLimiter limiter = limiter(limit);
    limiter.decide("key", 5);
    limiter.decide("other", 5);
    limiter.reset("key");
    assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    assertThat(limiter.peek("other").remaining()).isZero();
  }
}
