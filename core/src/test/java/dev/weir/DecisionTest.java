package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One question with several claims, and what can be given back afterwards. */
final class DecisionTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final Policy two = Policy.of("rule", "two", Limit.tokenBucket(2, SECOND));
  private final Policy five = Policy.of("rule", "five", Limit.fixedWindow(5, SECOND));
  private final Policy nine = Policy.of("rule", "nine", Limit.slidingLog(9, SECOND));

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(10, SECOND),
        Limit.fixedWindow(10, SECOND),
        Limit.fixedWindow(10, SECOND).fromFirstUse(),
        Limit.slidingWindow(10, SECOND),
        Limit.slidingLog(10, SECOND));
  }

  @Test
  void oneLimitThatDeniesTakesNothingFromTheOthers() {
    RateLimiter limiter = limiter(nine, two, five);
    assertThat(limiter.decide("key", 2).allowed()).isTrue();
    Decision denied = limiter.decide("key", 3);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.deniedBy().map(Outcome::policy)).contains(two);
    assertThat(denied.outcomes()).extracting(Outcome::policy).containsExactly(nine, two, five);
    assertThat(denied.outcomes()).extracting(Outcome::allowed).containsExactly(true, false, true);
    assertThat(denied.outcomes()).extracting(Outcome::remaining).containsExactly(7L, 0L, 3L);
    assertThat(denied.remaining()).isZero();
    assertThat(denied.receipt()).isEmpty();
  }

  @Test
  void theLongestWaitOfTheDenyingLimitsIsTheAnswer() {
    RateLimiter limiter = limiter(two, five);
    limiter.charge("key", 5);
    Decision denied = limiter.decide("key");
    assertThat(denied.outcomes())
        .extracting(Outcome::retryAfter)
        .containsExactly(Duration.ofMillis(1_500), SECOND);
    assertThat(denied.retryAfter()).isEqualTo(Duration.ofMillis(1_500));
    assertThat(denied.deniedBy().map(Outcome::policy)).contains(two);
    time.advance(Duration.ofMillis(1_500).minusNanos(1_000));
    assertThat(limiter.decide("key").allowed()).isFalse();
    time.advance(Duration.ofNanos(1_000));
    assertThat(limiter.decide("key").allowed()).isTrue();
  }

  @Test
  void aClaimThatCanNeverPassOutweighsEveryWait() {
    RateLimiter limiter = limiter(two, five);
    limiter.decide("key", 2);
    Decision denied = limiter.decide("key", 6);
    assertThat(denied.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(limiter.peek("key").outcomes()).extracting(Outcome::remaining).contains(0L, 3L);
  }

  @Test
  void equalClaimsAreMergedAndAnsweredAsOne() {
    RateLimiter limiter = limiter(five);
    Claim three = new Claim(five, "key", 3);
    Decision denied = limiter.decide(List.of(three, three));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(denied.outcomes()).hasSize(1);
    Decision allowed = limiter.decide(List.of(three, Claim.of(five, "key"), Claim.of(five, "b")));
    assertThat(allowed.outcomes()).extracting(Outcome::remaining).containsExactly(1L, 4L);
  }

  @Test
  void claimsBeyondTheLargestNumberAreStillTooMany() {
    Claim huge = new Claim(five, "key", Long.MAX_VALUE);
    Decision denied = limiter(five).decide(List.of(huge, huge));
    assertThat(denied.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(store.keys()).isZero();
  }

  @Test
  void claimsMustAgreeOnTheirPolicy() {
    Policy other = new Policy("rule", "two", two.limit(), Mode.SHADOW, FailurePolicy.ALLOW);
    List<Claim> claims = List.of(Claim.of(two, "key"), Claim.of(other, "key"));
    assertThatThrownBy(() -> limiter(two).decide(claims))
        .hasMessage("claims must agree on policy rule/two, was given in two versions");
    assertThatThrownBy(() -> limiter(two).decide(List.of())).hasMessage("claims must not be empty");
  }

  @Test
  void aShadowLimitTakesAsIfEnforcedAndNeverDenies() {
    Policy shadow = two.withMode(Mode.SHADOW);
    RateLimiter limiter = limiter(shadow, five);
    for (int i = 0; i < 5; i++) {
      Decision decision = limiter.decide("key");
      assertThat(decision.allowed()).isTrue();
      assertThat(decision.outcomes().get(0).allowed()).isEqualTo(i < 2);
      assertThat(decision.remaining()).as("of the enforced limit").isEqualTo(4 - i);
      assertThat(decision.retryAfter()).isZero();
    }
    Decision denied = limiter.decide("key");
    assertThat(denied.deniedBy().map(Outcome::policy)).contains(five);
    assertThat(denied.retryAfter()).isEqualTo(SECOND);
  }

  @Test
  void aShadowLimitTakesNothingFromADeniedRequest() {
    Policy shadow = nine.withMode(Mode.SHADOW);
    RateLimiter limiter = limiter(shadow, two);
    limiter.decide("key", 2);
    limiter.decide("key", 2);
    assertThat(limiter.peek("key").outcomes().get(0).remaining()).isEqualTo(7);
  }

  @Test
  void aReceiptNamesWhatWasTakenAndNothingElse() {
    RateLimiter limiter = limiter(two.withMode(Mode.SHADOW), five);
    Receipt all = limiter.decide("key", 2).receipt().orElseThrow();
    assertThat(all.claims()).extracting(Claim::permits).containsExactly(2L, 2L);
    assertThat(all.grants())
        .extracting(Receipt.Grant::atMicros)
        .containsOnly(OptionalLong.of(time.nowMicros()));
    Receipt some = limiter.decide("key", 2).receipt().orElseThrow();
    assertThat(some.claims()).extracting(Claim::policy).containsExactly(five);
    assertThat(limiter.decide("key", 0).receipt()).isEmpty();
    assertThat(limiter.peek("key", 1).receipt()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void givingBackAPeekGivesNothing(Limit limit) {
    RateLimiter limiter = limiter(Policy.of("rule", "limit", limit));
    limiter.decide("key", 4);
    limiter.refund(limiter.peek("key", 4));
    assertThat(limiter.peek("key").remaining()).isEqualTo(6);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aGrantGivenBackAtOnceLeavesTheKeyAsItWas(Limit limit) {
    RateLimiter limiter = limiter(Policy.of("rule", "limit", limit));
    limiter.decide("key", 4);
    limiter.refund(limiter.decide("key", 3));
    assertThat(limiter.peek("key").remaining()).isEqualTo(6);
    limiter.refund("key", 4);
    assertThat(limiter.peek("key").resetAfter()).isZero();
    assertThat(store.keys()).isZero();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aGrantThatHasComeBackByItselfIsNotGivenTwice(Limit limit) {
    RateLimiter limiter = limiter(Policy.of("rule", "limit", limit));
    Decision old = limiter.decide("key", 10);
    time.advance(SECOND.multipliedBy(2));
    limiter.decide("key", 10);
    limiter.refund(old);
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aDenialGivesNothingBack(Limit limit) {
    RateLimiter limiter = limiter(Policy.of("rule", "limit", limit));
    limiter.decide("key", 10);
    limiter.refund(limiter.decide("key", 5));
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  private RateLimiter limiter(Policy... policies) {
    RateLimiter.Builder builder = RateLimiter.builder().store(store).time(time);
    Stream.of(policies).forEach(builder::policy);
    return builder.build();
  }
}
