package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Penalty;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RequestId;
import dev.weir.Source;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds over every store for keys that go on asking after they were denied. */
abstract class PenaltyContract extends IdempotencyContract {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Penalty PENALTY = new Penalty(5, Duration.ofMinutes(10), QUARTER, 2, DAY);

  private Policy policy() {
    return Policy.of(rule, "limit", Limit.fixedWindow(1, MINUTE)).withPenalty(PENALTY);
  }

  private RateLimiter penalized(Policy... policies) {
    RateLimiter.Builder builder = RateLimiter.builder().store(store).time(time);
    for (Policy policy : policies) {
      builder.policy(policy);
    }
    return builder.build();
  }

  /** Takes what there is, and then is denied so many times; the last denial. */
  private static Decision denied(RateLimiter limiter, int times) {
    Decision last = limiter.decide("key");
    for (int i = 0; i < times; i++) {
      last = limiter.decide("key");
      assertThat(last.allowed()).isFalse();
    }
    return last;
  }

  @ParameterizedTest
  @MethodSource("limitsOfTen")
  void theDenialThatIsOneTooManyBlocksWhateverTheLimit(Limit limit) {
    RateLimiter limiter = penalized(Policy.of(rule, "limit", limit).withPenalty(PENALTY));
    assertThat(limiter.decide("key", 10).allowed()).isTrue();
    Decision fourth = denied(limiter, 3);
    assertThat(fourth.source()).isNotEqualTo(Source.PENALTY);
    Decision fifth = limiter.decide("key");
    assertThat(fifth.source()).isEqualTo(Source.PENALTY);
    assertThat(fifth.retryAfter()).isGreaterThanOrEqualTo(QUARTER);
    limiter.refund("key", 10);
    assertThat(limiter.decide("key").retryAfter()).isEqualTo(QUARTER);
    assertThat(limiter.decide("other").allowed()).isTrue();
    time.advance(QUARTER.minus(MICRO));
    assertThat(limiter.decide("key").allowed()).isFalse();
    time.advance(MICRO);
    assertThat(limiter.decide("key").allowed()).isTrue();
  }

  @Test
  void eachBlockIsLongerThanTheOneBefore() {
    RateLimiter limiter = penalized(policy());
    for (long minutes : new long[] {15, 30, 60, 120, 240, 480, 960}) {
      Decision blocked = denied(limiter, 5);
      assertThat(blocked.source()).isEqualTo(Source.PENALTY);
      assertThat(blocked.retryAfter()).isEqualTo(Duration.ofMinutes(minutes));
      time.advance(blocked.retryAfter());
    }
    // more than a day after the first: one step is forgiven
    assertThat(denied(limiter, 5).retryAfter()).isEqualTo(Duration.ofMinutes(960));
  }

  @Test
  void oneStepOfGrowthIsForgivenForEveryLongestBlock() {
    RateLimiter limiter = penalized(policy());
    denied(limiter, 5);
    time.advance(QUARTER);
    assertThat(denied(limiter, 5).retryAfter()).isEqualTo(QUARTER.multipliedBy(2));
    time.advance(DAY.minus(QUARTER).minus(MICRO)); // a day after the first, but a microsecond
    assertThat(denied(limiter, 5).retryAfter()).isEqualTo(QUARTER.multipliedBy(4));
    limiter.reset("key");
    denied(limiter, 5);
    time.advance(DAY);
    assertThat(denied(limiter, 5).retryAfter()).isEqualTo(QUARTER);
  }

  @Test
  void theLongestBlockIsRepeatedAtOnce() {
    Penalty toTheTop = new Penalty(1, MINUTE, Duration.ofHours(20), 2, DAY);
    RateLimiter limiter =
        penalized(Policy.of(rule, "limit", Limit.fixedWindow(1, MINUTE)).withPenalty(toTheTop));
    assertThat(denied(limiter, 1).retryAfter()).isEqualTo(Duration.ofHours(20));
    for (int i = 0; i < 3; i++) {
      time.advance(limiter.peek("key").retryAfter());
      assertThat(denied(limiter, 1).retryAfter()).isEqualTo(DAY);
    }
  }

  @Test
  void denialsThatAreTooFarApartBlockNothing() {
    RateLimiter limiter = penalized(policy());
    for (int i = 0; i < 5; i++) {
      assertThat(denied(limiter, 4).source()).isNotEqualTo(Source.PENALTY);
      time.advance(Duration.ofMinutes(10));
    }
  }

  @Test
  void whileBlockedNothingIsTakenAndNoDenialIsCounted() {
    RateLimiter limiter = penalized(policy(), Policy.of(rule, "hour", Limit.fixedWindow(10, DAY)));
    denied(limiter, 5);
    for (int i = 0; i < 20; i++) {
      assertThat(limiter.decide("key").deniedBy().orElseThrow().policy().name()).isEqualTo("limit");
    }
    time.advance(QUARTER);
    Decision after = limiter.decide("key");
    assertThat(after.allowed()).isTrue();
    assertThat(after.outcomes().get(1).remaining()).isEqualTo(8); // two were allowed
    assertThat(limiter.decide("key").source()).isNotEqualTo(Source.PENALTY);
  }

  @Test
  void aDenialByAnotherLimitIsNotCounted() {
    RateLimiter limiter =
        penalized(
            policy().withPenalty(new Penalty(1, MINUTE, QUARTER, 1, QUARTER)),
            Policy.of(rule, "day", Limit.fixedWindow(1, DAY)));
    limiter.decide("key");
    time.advance(MINUTE);
    assertThat(limiter.decide("key").source()).isNotEqualTo(Source.PENALTY);
    assertThat(limiter.decide("key").source()).isNotEqualTo(Source.PENALTY);
  }

  @Test
  void peeksAndRepeatedRequestsAreNotCounted() {
    RateLimiter limiter = penalized(policy());
    denied(limiter, 3);
    for (int i = 0; i < 5; i++) {
      assertThat(limiter.peek("key").source()).isNotEqualTo(Source.PENALTY);
    }
    for (int i = 0; i < 5; i++) { // one denial, sent again and again
      assertThat(limiter.decide("key", 1, RequestId.of("a")).source()).isNotEqualTo(Source.PENALTY);
    }
    assertThat(limiter.decide("key").source()).isEqualTo(Source.PENALTY);
    assertThat(limiter.peek("key").source()).isEqualTo(Source.PENALTY);
  }

  @Test
  void liftingEndsTheBlockAndItsGrowthAndKeepsWhatWasUsed() {
    RateLimiter limiter = penalized(policy());
    denied(limiter, 5);
    limiter.liftPenalties(List.of(Claim.of(policy(), "key")));
    Decision lifted = limiter.decide("key");
    assertThat(lifted.allowed()).isFalse();
    assertThat(lifted.source()).isNotEqualTo(Source.PENALTY);
    assertThat(lifted.retryAfter()).isLessThanOrEqualTo(MINUTE);
    assertThat(denied(limiter, 3).retryAfter()).isEqualTo(QUARTER); // five in all: as the first
    limiter.reset("key");
    assertThat(limiter.decide("key").allowed()).isTrue();
  }

  @Test
  void inShadowAPenaltyIsShownAndDeniesNothing() {
    RateLimiter limiter = penalized(policy().withMode(Mode.SHADOW));
    Decision last = limiter.decide("key");
    for (int i = 0; i < 5; i++) {
      last = limiter.decide("key");
      assertThat(last.allowed()).isTrue();
    }
    assertThat(last.outcomes().get(0).source()).isEqualTo(Source.PENALTY);
    assertThat(last.outcomes().get(0).retryAfter()).isEqualTo(QUARTER);
    assertThat(limiter.decide("key").outcomes().get(0).allowed()).isFalse();
  }

  @Test
  void ofManyDenialsAtOnceExactlyOneBlocks() throws Exception {
    RateLimiter limiter = penalized(policy());
    limiter.decide("key");
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<Decision>> asking = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        asking.add(() -> limiter.decide("key"));
      }
      for (Future<Decision> answer : threads.invokeAll(asking)) {
        assertThat(answer.get().allowed()).isFalse();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(limiter.peek("key").retryAfter()).isEqualTo(QUARTER);
    time.advance(QUARTER);
    assertThat(denied(limiter, 5).retryAfter()).isEqualTo(QUARTER.multipliedBy(2));
  }
}
