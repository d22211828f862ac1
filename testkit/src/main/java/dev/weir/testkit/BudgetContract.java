package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CalendarUnit;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.DecisionListener;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RequestId;
import dev.weir.spi.Operation;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every store promises about warnings of budgets, shares of them, and charges in shadow. */
abstract class BudgetContract extends PenaltyContract {
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  static Stream<Limit> budgetsOfTen() {
    return Stream.of(
        Limit.fixedWindow(10, Duration.ofHours(1)).warnAt(80),
        Limit.fixedWindow(10, Duration.ofHours(1)).fromFirstUse().warnAt(80),
        Limit.fixedWindow(10, CalendarUnit.MONTH, ZoneId.of("Europe/Berlin")).warnAt(80));
  }

  private RateLimiter warning(Policy policy) {
    DecisionListener listener =
        new DecisionListener() {
          @Override
          public void decided(Operation operation, Decision decision) {}

          @Override
          public void warned(Outcome outcome) {
            warnings.add(outcome.claim().key());
          }
        };
    return RateLimiter.builder().store(store).time(time).policy(policy).listener(listener).build();
  }

  private RateLimiter warning(Limit limit) {
    return warning(Policy.of(rule, "budget", limit));
  }

  private static boolean warns(Decision decision) {
    return decision.outcomes().get(0).warning();
  }

  @ParameterizedTest
  @MethodSource("budgetsOfTen")
  void theDecisionThatReachesTheThresholdWarnsAndNoOtherInItsWindow(Limit budget) {
    RateLimiter limiter = warning(budget);
    assertThat(warns(limiter.decide("key", 7))).isFalse();
    assertThat(warnings).isEmpty();
    Decision reaching = limiter.decide("key", 1);
    assertThat(warns(reaching)).isTrue();
    assertThat(reaching.outcomes().get(0).firstWarning()).isTrue();
    assertThat(warnings).containsExactly("key");
    limiter.decide("key", 2);
    limiter.decide("key", 1);
    assertThat(warns(limiter.peek("key"))).isTrue();
    assertThat(warnings).containsExactly("key");
    time.advance(limiter.peek("key").resetAfter());
    assertThat(warns(limiter.decide("key", 1))).isFalse();
    limiter.decide("key", 9);
    assertThat(warnings).containsExactly("key", "key");
  }

  @ParameterizedTest
  @MethodSource("budgetsOfTen")
  void permitsThatAreGivenBackDoNotBringTheWarningAgain(Limit budget) {
    RateLimiter limiter = warning(budget);
    limiter.settle(limiter.decide("key", 9), 0); // all of it is given back
    assertThat(warns(limiter.peek("key"))).isFalse();
    limiter.refund(limiter.decide("key", 8));
    limiter.decide("key", 8);
    assertThat(warnings).containsExactly("key");
  }

  @ParameterizedTest
  @MethodSource("budgetsOfTen")
  void aChargeOrASettlementWarnsToo(Limit budget) {
    RateLimiter limiter = warning(budget);
    for (int times = 0; times < 3; times++) {
      limiter.charge("charged", 100);
    }
    Decision reserved = limiter.decide("settled", 2);
    limiter.settle(reserved, 8);
    limiter.settle(reserved, 8);
    assertThat(warnings).containsExactly("charged", "settled");
  }

  @Test
  void aRepeatedAnswerDoesNotWarnAgain() {
    RateLimiter limiter = warning(Limit.fixedWindow(10, Duration.ofHours(1)).warnAt(80));
    for (int sent = 0; sent < 3; sent++) {
      assertThat(warns(limiter.decide("key", 9, RequestId.of("one")))).isTrue();
    }
    assertThat(warnings).containsExactly("key");
  }

  @Test
  void oneOfManyThreadsWarns() {
    RateLimiter limiter = warning(Limit.fixedWindow(1000, Duration.ofHours(1)).warnAt(80));
    IntStream.range(0, 1100).parallel().forEach(request -> limiter.decide("key"));
    assertThat(limiter.peek("key").remaining()).isZero();
    assertThat(warnings).containsExactly("key");
  }

  @Test
  void aChangedBudgetKeepsItsWarning() {
    warning(Limit.fixedWindow(10, Duration.ofHours(1)).warnAt(80)).decide("key", 9);
    RateLimiter raised = warning(Limit.fixedWindow(20, Duration.ofHours(1)).warnAt(80));
    assertThat(warns(raised.peek("key"))).isFalse();
    assertThat(warns(raised.decide("key", 10))).isTrue();
    assertThat(warnings).containsExactly("key");
  }

  @Test
  void aRefundOfNothingDoesNotMoveAWindow() {
    Limit minute = Limit.fixedWindow(10, Duration.ofMinutes(1)).fromFirstUse().warnAt(10);
    RateLimiter first = warning(minute);
    first.decide("key");
    first.refund("key", 1);
    time.advance(Duration.ofMillis(5001));
    first.refund("key", 1);
    time.advance(Duration.ofSeconds(4));
    Limit shorter = Limit.fixedWindow(10, Duration.ofSeconds(5)).fromFirstUse().warnAt(10);
    assertThat(warning(shorter).decide("key").resetAfter()).isEqualTo(Duration.ofSeconds(5));
  }

  /** A charge on a bucket that is as deep in debt as it can be writes nothing. */
  @Test
  void aBucketThatWasABudgetDoesNotRepeatItsWarning() {
    warning(Limit.fixedWindow(10, Duration.ofHours(1)).warnAt(80)).decide("key", 9);
    RateLimiter bucket = warning(Limit.tokenBucket(1, Duration.ofHours(1)));
    assertThat(bucket.charge("key", 1).outcomes().get(0).firstWarning()).isFalse();
    assertThat(warnings).containsExactly("key");
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void oneRequestTakesAtMostItsShare(Limit limit) {
    RateLimiter limiter = warning(Policy.of(rule, "share", limit).reserveAtMost(50));
    Decision denied = limiter.decide("key", 6);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(denied.remaining()).isEqualTo(10);
    assertThat(denied.denying().get(0).claim().asksTooMuch()).isTrue();
    assertThat(limiter.tryAcquire("key", 6)).isFalse();
    assertThat(limiter.acquireUpTo("key", 9)).isEqualTo(5);
    Decision allowed = limiter.decide("key", 5);
    assertThat(allowed.allowed()).isTrue();
    limiter.settle(allowed, 7); // after the fact
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  @Test
  void aShareBoundsWhatClaimsOnOneStateTakeTogether() {
    Policy policy =
        Policy.of(rule, "share", Limit.fixedWindow(10, Duration.ofHours(1))).reserveAtMost(50);
    Claim three = new Claim(policy, "key", 3);
    RateLimiter limiter = RateLimiter.forClaims(store);
    assertThat(limiter.decide(List.of(three, three)).allowed()).isFalse();
    assertThat(limiter.decide(List.of(three)).remaining()).isEqualTo(7);
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void chargesInShadowLeaveNoDebt(Limit limit) {
    Policy enforced = Policy.of(rule, "shadow", limit);
    RateLimiter shadow = warning(enforced.withMode(Mode.SHADOW));
    for (int times = 0; times < 3; times++) {
      shadow.charge("charged", 9);
      shadow.settle(shadow.decide("settled", 1), 30);
    }
    RateLimiter limiter = warning(enforced);
    for (String key : List.of("charged", "settled")) {
      assertThat(limiter.peek(key).remaining()).isZero();
      limiter.refund(key, 1); // of debt, this would be less than nothing
      assertThat(limiter.peek(key).remaining()).isEqualTo(1);
    }
  }

  @Test
  void chargesInShadowLeaveEarlierDebtAsItIs() {
    Policy enforced = Policy.of(rule, "debt", Limit.tokenBucket(10, Duration.ofHours(1)));
    warning(enforced).charge("key", 15);
    warning(enforced.withMode(Mode.SHADOW)).charge("key", 5);
    warning(enforced).refund("key", 6);
    assertThat(warning(enforced).peek("key").remaining()).isEqualTo(1);
  }
}
