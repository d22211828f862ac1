package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Mode;
import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link LimitStore} promises. Extend it, say how to open a store, add nothing else. */
public abstract class LimitStoreContract extends RefundContract {
  /** Only for subclasses. */
  protected LimitStoreContract() {}

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void countsFromTheFirstInstantOn(Limit limit) {
    Policy policy = Policy.of(rule, "at-1970", limit);
    try (LimitStore early = open(new ManualTime())) {
      for (long left = 4; left >= 0; left--) {
        Decision decision = RateLimiter.forClaims(early).decide(List.of(Claim.of(policy, "key")));
        assertThat(decision.remaining()).isEqualTo(left);
        assertThat(decision.resetAfter()).isPositive();
      }
      assertThat(RateLimiter.forClaims(early).decide(List.of(Claim.of(policy, "key"))).allowed())
          .isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3, 7, 1000}) // 3 and 7 do not divide a second: rounding shows here
  void grantsExactlyTheCapacityAtOneInstant(long capacity) {
    RateLimiter limiter = limiter(Limit.tokenBucket(capacity, SECOND));
    for (long taken = 1; taken <= capacity; taken++) {
      Decision decision = limiter.decide("key");
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.remaining()).isEqualTo(capacity - taken);
    }
    assertThat(limiter.decide("key").allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aDenialTakesNothingAndSaysWhenToComeBack(Limit limit) {
    RateLimiter limiter = limiter(limit);
    limiter.decide("key", 4);
    Decision denied = limiter.decide("key", 3);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.remaining()).isEqualTo(1);
    assertThat(limiter.decide("key", 1).allowed()).isTrue();
    Duration wait = limiter.decide("key", 3).retryAfter();
    time.advance(wait.minus(MICRO));
    assertThat(limiter.peek("key", 3).allowed()).isFalse();
    time.advance(MICRO);
    assertThat(limiter.decide("key", 3).allowed()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void moreThanTheCapacityNeverPasses(Limit limit) {
    Decision decision = limiter(limit).decide("key", 6);
    assertThat(decision.allowed()).isFalse();
    assertThat(decision.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(decision.remaining()).isEqualTo(5);
    assertThat(decision.resetAfter()).isZero();
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void peekTakesNothing(Limit limit) {
    RateLimiter limiter = limiter(limit);
    limiter.decide("key", 2);
    for (int i = 0; i < 10; i++) {
      assertThat(limiter.peek("key", 3).allowed()).isTrue();
      assertThat(limiter.decide("key", 0).remaining()).isEqualTo(3);
    }
    assertThat(limiter.peek("key", 4).allowed()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void aKeyIsFreshAgainAfterItsReset(Limit limit) {
    RateLimiter limiter = limiter(limit);
    Duration reset = limiter.decide("key", 3).resetAfter();
    assertThat(reset).isPositive();
    time.advance(reset.minus(MICRO));
    assertThat(limiter.peek("key").resetAfter()).isEqualTo(MICRO);
    time.advance(MICRO);
    assertThat(limiter.peek("key").resetAfter()).isZero();
    assertThat(limiter.decide("key", 5).allowed()).isTrue();
  }

  @Test
  void ofTheQuotasOfARequestAtLeastOneMustFit() {
    Policy small = Policy.of(rule, "small", Limit.fixedWindow(1, SECOND)).withMode(Mode.QUOTA);
    Policy large = Policy.of(rule, "large", Limit.fixedWindow(2, SECOND)).withMode(Mode.QUOTA);
    Policy limit = Policy.of(rule, "limit", Limit.fixedWindow(5, SECOND));
    RateLimiter limiter = RateLimiter.forClaims(store);
    List<Claim> claims =
        List.of(Claim.of(small, "key"), Claim.of(large, "key"), Claim.of(limit, "key"));
    assertThat(limiter.decide(claims).allowed()).isTrue();
    Decision second = limiter.decide(claims);
    assertThat(second.allowed()).isTrue();
    assertThat(second.outcomes().get(0).allowed()).isFalse();
    Decision third = limiter.decide(claims);
    assertThat(third.allowed()).isFalse();
    assertThat(third.denying()).extracting(Outcome::policy).containsExactly(small, large);
    assertThat(third.outcomes().get(2).remaining()).isEqualTo(3);
    assertThat(limiter.peek(List.of(Claim.of(limit, "key"))).remaining()).isEqualTo(3);
  }

  @Test
  void severalLimitsTakeAllOrNothing() {
    RateLimiter limiter =
        limiter(
            Limit.tokenBucket(10, SECOND),
            Limit.fixedWindow(4, Duration.ofMinutes(1)),
            Limit.slidingLog(8, Duration.ofHours(1)));
    assertThat(limiter.decide("key", 3).remaining()).isEqualTo(1);
    Decision denied = limiter.decide("key", 2);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.deniedBy().orElseThrow().policy().name()).isEqualTo("limit-2");
    assertThat(denied.outcomes()).extracting(o -> o.remaining()).containsExactly(7L, 1L, 5L);
    assertThat(denied.outcomes()).extracting(o -> o.allowed()).containsExactly(true, false, true);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 51, 52, 53, 54, 63, 64, 65, 127, 200})
  void everyClaimOfALongQuestionIsAnswered(int count) {
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Limit limit = i % 7 == 3 ? Limit.slidingLog(2, SECOND) : Limit.fixedWindow(2, SECOND);
      claims.add(Claim.of(Policy.of(rule, "limit-" + i % 5, limit), "key-" + i / 5 + "-" + i % 7));
    }
    RateLimiter limiter = RateLimiter.forClaims(store);
    assertThat(limiter.decide(claims).allowed()).isTrue();
    Claim last = claims.get(count - 1);
    assertThat(limiter.decide(List.of(last)).allowed()).isTrue();
    Decision denied = limiter.decide(claims);
    assertThat(denied.allowed()).isFalse();
    for (int i = 0; i < count; i++) {
      assertThat(denied.outcomes().get(i).allowed()).as("claim %d", i).isEqualTo(i < count - 1);
      assertThat(denied.outcomes().get(i).remaining()).isEqualTo(i < count - 1 ? 1 : 0);
    }
  }

  @Test
  void severalKeysTakeAllOrNothing() {
    Policy perUser = Policy.of(rule, "user", Limit.tokenBucket(2, SECOND));
    Policy perAddress = Policy.of(rule, "address", Limit.slidingWindow(3, SECOND));
    RateLimiter limiter = limiter(Limit.tokenBucket(1, SECOND));
    List<Claim> alice = List.of(Claim.of(perUser, "alice"), Claim.of(perAddress, "10.0.0.1"));
    List<Claim> bob = List.of(Claim.of(perUser, "bob"), Claim.of(perAddress, "10.0.0.1"));
    assertThat(limiter.decide(alice).allowed()).isTrue();
    assertThat(limiter.decide(alice).allowed()).isTrue();
    assertThat(limiter.decide(alice).allowed()).isFalse();
    assertThat(limiter.decide(bob).allowed()).isTrue();
    Decision denied = limiter.decide(bob);
    assertThat(denied.deniedBy().orElseThrow().policy()).isEqualTo(perAddress);
    assertThat(denied.outcomes().get(0).remaining()).isEqualTo(1);
  }

  @Test
  void aShadowPolicyCountsAndNeverDenies() {
    Policy enforced = Policy.of(rule, "enforced", Limit.tokenBucket(5, SECOND));
    Policy shadow = Policy.of(rule, "shadow", Limit.fixedWindow(2, SECOND)).withMode(Mode.SHADOW);
    RateLimiter limiter =
        RateLimiter.builder().policy(enforced).policy(shadow).store(store).time(time).build();
    limiter.decide("key", 2);
    Decision third = limiter.decide("key", 1);
    assertThat(third.allowed()).isTrue();
    assertThat(third.retryAfter()).isZero();
    assertThat(third.remaining()).isEqualTo(2);
    assertThat(third.outcomes().get(1).allowed()).isFalse();
    assertThat(third.outcomes().get(1).remaining()).isZero();
    limiter.decide("key", 3);
    assertThat(limiter.peek("key").outcomes().get(1).remaining()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "}", "{", "}{", "a}b", "{}", "a|b", "#a", "\0", "\n", "\uD800"})
  void everyKeyHasItsOwnState(String key) {
    RateLimiter limiter = limiter(Limit.tokenBucket(1, SECOND), Limit.slidingLog(1, SECOND));
    assertThat(limiter.decide(key).allowed()).isTrue();
    assertThat(limiter.decide(key).allowed()).isFalse();
    assertThat(limiter.decide(key + "x").allowed()).isTrue();
    assertThat(limiter.decide("x" + key + "x".repeat(100_000)).allowed()).isTrue();
  }

  @Test
  void aChangedLimitKeepsWhatWasUsed() {
    limiter(Limit.tokenBucket(10, SECOND)).decide("key", 6);
    assertThat(limiter(Limit.tokenBucket(20, SECOND)).peek("key").remaining()).isEqualTo(14);
    assertThat(limiter(Limit.tokenBucket(4, SECOND)).peek("key").remaining()).isZero();
    assertThat(limiter(Limit.fixedWindow(8, SECOND)).peek("key").remaining()).isEqualTo(2);
    assertThat(limiter(Limit.slidingWindow(9, SECOND)).peek("key").remaining()).isEqualTo(3);
    assertThat(limiter(Limit.tokenBucket(10, SECOND)).peek("key").remaining()).isEqualTo(4);
  }

  @Test
  void aDenialUnderAnotherVersionOfALimitChangesNothing() {
    List<Limit> limits = limitsOfFive().filter(l -> !(l instanceof Limit.SlidingLog)).toList();
    for (Limit written : limits) {
      String key = "key of " + written;
      limiter(written).charge(key, 9); // into debt
      Decision before = limiter(written).peek(key, 2);
      for (Limit other : limits) {
        assertThat(limiter(other).decide(key, 5).allowed()).isFalse();
        Decision after = limiter(written).peek(key, 2);
        assertThat(after.retryAfter()).isEqualTo(before.retryAfter());
        assertThat(after.resetAfter()).isEqualTo(before.resetAfter());
      }
    }
  }

  @Test
  void aShortenedWindowLocksNobodyOutForLonger() {
    limiter(Limit.fixedWindow(10, Duration.ofHours(1))).decide("key", 10);
    RateLimiter perMinute = limiter(Limit.fixedWindow(10, Duration.ofMinutes(1)));
    assertThat(perMinute.decide("key").retryAfter()).isEqualTo(Duration.ofMinutes(1));
    time.advance(Duration.ofMinutes(1));
    assertThat(perMinute.decide("key").allowed()).isTrue();
  }

  @Test
  void largeProductsStayExact() {
    RateLimiter sliding = limiter(Limit.slidingWindow(1_000_000, Duration.ofDays(1)));
    sliding.decide("key", 999_999);
    time.advance(Duration.ofDays(1));
    assertThat(sliding.decide("key", 1).resetAfter()).isEqualTo(Duration.ofHours(38));
    time.advance(Duration.ofNanos(86_400_000));
    assertThat(sliding.peek("key").remaining()).isEqualTo(416_667);
    RateLimiter bucket = limiter(Limit.tokenBucket(10_007, Duration.ofDays(30)));
    bucket.decide("large", 10_007);
    assertThat(bucket.decide("large").retryAfter()).isEqualTo(Duration.ofNanos(259_018_687_000L));
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void threadsNeverGetMoreThanTheLimitTogether(Limit limit) throws Exception {
    RateLimiter limiter = limiter(limit);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      Callable<Integer> attempts =
          () -> {
            int admitted = 0;
            for (int i = 0; i < 20; i++) {
              admitted += limiter.tryAcquire("key") ? 1 : 0;
            }
            return admitted;
          };
      int admitted = 0;
      for (Future<Integer> each :
          threads.invokeAll(Stream.generate(() -> attempts).limit(8).toList())) {
        admitted += each.get();
      }
      assertThat(admitted).isEqualTo(5);
    } finally {
      threads.shutdownNow();
    }
  }
}
