package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.internal.arithmetic.SplitLimit;
import dev.weir.model.AdmissionBound;
import dev.weir.model.AdmissionBound.Admission;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A key that is split into parts: never above its limit, and by how much below it. */
final class SplitKeyTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();

  @BeforeEach
  void setTime() {
    time.set(Instant.parse("2026-11-01T10:00:00Z"));
  }

  private RateLimiter limiter(Policy policy) {
    return RateLimiter.builder().policy(policy).store(store).time(time).build();
  }

  private static Policy split(Limit limit, int parts) {
    return Policy.of("rule", "limit", limit).withSplit(parts);
  }

  private static long allowed(RateLimiter limiter, int times) {
    return IntStream.range(0, times).filter(i -> limiter.tryAcquire("key")).count();
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8, 100, 1000, (1L << 53) - 6})
  void theSharesOfThePartsAddUpToTheLimit(long permits) {
    Limit limit = Limit.tokenBucket(permits, SECOND).withBurst(permits + 5);
    List<Limit> parts =
        IntStream.range(0, 7).mapToObj(part -> SplitLimit.part(limit, part, 7)).toList();
    assertThat(parts.stream().mapToLong(Limit::permits).sum()).isEqualTo(permits);
    assertThat(parts.stream().mapToLong(Limit::capacity).sum()).isEqualTo(permits + 5);
  }

  static Stream<Limit> limits() {
    return Stream.of(
        Limit.tokenBucket(100, SECOND),
        Limit.fixedWindow(100, SECOND),
        Limit.slidingWindow(100, SECOND),
        Limit.slidingLog(100, SECOND));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void allPartsTogetherAdmitExactlyTheLimitAtOneInstant(Limit limit) {
    assertThat(allowed(limiter(split(limit, 8)), 5_000)).isEqualTo(100);
  }

  @ParameterizedTest
  @MethodSource("limits")
  void theLimitHoldsOverEveryInterval(Limit limit) {
    if (limit.algorithm() == Algorithm.SLIDING_LOG) {
      limit = Limit.slidingWindow(37, Duration.ofMillis(300)); // the model has no logs
    }
    RateLimiter limiter = limiter(split(limit, 5));
    Random random = new Random(1);
    List<Admission> admissions = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      time.advanceMicros(random.nextInt(2_000));
      if (limiter.tryAcquire("key")) {
        admissions.add(new Admission(time.nowMicros(), time.nowMicros()));
      }
    }
    assertThat(admissions.size()).isGreaterThan(1_000);
    assertThat(AdmissionBound.excess(limit, admissions)).isNotPositive();
  }

  /** As the docs say: about 0.4 sqrt(parts / limit) of the limit at exactly the limit's load. */
  @Test
  void asManyRequestsAsTheLimitLoseASmallShare() {
    Limit limit = Limit.fixedWindow(10_000, SECOND);
    long denied = 0;
    for (int window = 0; window < 20; window++) {
      denied += 10_000 - allowed(limiter(split(limit, 8)), 10_000);
      time.advance(SECOND);
    }
    double share = denied / 200_000.0;
    assertThat(share).isBetween(0.006, 0.018); // 0.4 * sqrt(8 / 10,000) = 0.011
  }

  @Test
  void peekingSumsUpAllParts() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(100, SECOND), 8));
    assertThat(limiter.peek("key").remaining()).isEqualTo(100);
    assertThat(allowed(limiter, 30)).isEqualTo(30);
    assertThat(limiter.peek("key").remaining()).isEqualTo(70);
    assertThat(limiter.peek("other").remaining()).isEqualTo(100);
  }

  @Test
  void aPeekIsAllowedWhileAnyPartHasPermits() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(16, SECOND), 8));
    while (limiter.peek("key").remaining() > 1) {
      limiter.decide("key");
    }
    assertThat(limiter.peek("key").allowed()).isTrue();
    assertThat(limiter.peek("key", 2).allowed()).isFalse();
    allowed(limiter, 500);
    assertThat(limiter.peek("key").allowed()).isFalse();
    assertThat(limiter.peek("key").retryAfter()).isEqualTo(SECOND);
  }

  @Test
  void aResetReachesAllParts() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(100, SECOND), 8));
    allowed(limiter, 1_000);
    limiter.reset("key");
    assertThat(limiter.peek("key").remaining()).isEqualTo(100);
    assertThat(limiter.decide("key").remaining()).isGreaterThan(80);
  }

  @Test
  void aReceiptGivesBackToThePartItWasTakenFrom() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(8, SECOND), 8));
    List<Decision> decisions = new ArrayList<>();
    while (decisions.size() < 8) {
      Decision decision = limiter.decide("key");
      if (decision.allowed()) {
        decisions.add(decision);
      }
    }
    for (Decision decision : decisions) {
      limiter.refund(decision);
    }
    assertThat(limiter.peek("key").remaining()).isEqualTo(8);
  }

  @Test
  void settlingCorrectsThePartOnce() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(800, SECOND), 8));
    Decision decision = limiter.decide("key", 10);
    limiter.settle(decision, 25);
    limiter.settle(decision, 25);
    assertThat(limiter.peek("key").remaining()).isEqualTo(775);
  }

  @Test
  void aRequestThatIsSentAgainTakesOnce() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(800, SECOND), 8));
    for (int id = 0; id < 20; id++) {
      Decision first = limiter.decide("key", 1, RequestId.of("id-" + id));
      Decision again = limiter.decide("key", 1, RequestId.of("id-" + id));
      assertThat(first.repeated()).isFalse();
      assertThat(again.repeated()).isTrue();
      limiter.refund(again);
    }
    assertThat(limiter.peek("key").remaining()).isEqualTo(800);
  }

  @Test
  void aChargeIsSpreadEvenly() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(800, SECOND), 8));
    assertThat(limiter.charge("key", 403).remaining()).isEqualTo(397);
    limiter.refund("key", 400);
    assertThat(limiter.peek("key").remaining()).isBetween(797L, 800L);
  }

  @Test
  void oneRequestGetsNoMoreThanAPartHas() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(800, SECOND), 8));
    assertThat(limiter.decide("key", 100).allowed()).isTrue();
    assertThat(limiter.decide("key", 101).retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(limiter.acquireUpTo("other", 800)).isEqualTo(100);
  }

  @Test
  void whatRemainsIsExtrapolatedFromThePart() {
    RateLimiter limiter = limiter(split(Limit.fixedWindow(800, SECOND), 8));
    Decision decision = limiter.decide("key");
    assertThat(decision.remaining()).isEqualTo(792); // 99 of 100
    assertThat(decision.outcomes().get(0).claim().key()).isEqualTo("key");
    assertThat(decision.outcomes().get(0).policy().limit().permits()).isEqualTo(800);
  }

  @Test
  void whatCannotBeSplitIsRefused() {
    Policy bucket = Policy.of("rule", "limit", Limit.tokenBucket(10, SECOND));
    assertThatThrownBy(() -> bucket.withSplit(11))
        .hasMessage(
            "split must be at most the permits and the burst of the limit, was 11 parts of 10");
    assertThatThrownBy(() -> bucket.withSplit(65))
        .hasMessage("split must be a number of parts from 1 to 64, was 65");
    assertThatThrownBy(() -> bucket.withSplit(0))
        .hasMessage("split must be a number of parts from 1 to 64, was 0");
    assertThatThrownBy(() -> bucket.withLease(SECOND).withSplit(2))
        .hasMessage("split must be left out with a lease, which asks the store rarely already");
    Penalty penalty = new Penalty(2, SECOND, SECOND, 1, SECOND);
    assertThatThrownBy(() -> bucket.withPenalty(penalty).withSplit(2))
        .hasMessage(
            "penalty must be left out for a split limit, whose parts deny before all are used up");
    assertThatThrownBy(() -> split(Limit.inFlight(10, SECOND), 2))
        .hasMessage(
            "split must be left out for requests in flight, whose slots are counted together");
    assertThatThrownBy(() -> split(Limit.fixedWindow(10, SECOND).fromFirstUse(), 2))
        .hasMessage(
            "split must be left out for windows that start at first use: parts would start apart");
  }
}
