package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What decisions leave in a registry. */
final class DecisionMetersTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Policy TEN = Policy.of("api", "ten", Limit.fixedWindow(10, HOUR));
  private static final Policy TWO = Policy.of("api", "two", Limit.fixedWindow(2, HOUR));

  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final WeirMetrics metrics = new WeirMetrics(registry);
  private final MemoryStore memory = MemoryStore.builder().time(new ManualTime()).build();
  private final RateLimiter limiter = RateLimiter.forClaims(memory, metrics);

  @Test
  void everyLimitIsCountedByWhatItSaidItself() {
    for (int i = 0; i < 3; i++) {
      limiter.decide(List.of(Claim.of(TEN, "key"), Claim.of(TWO, "key")));
    }

    assertThat(Series.of(registry, "weir.decisions"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "limit=ten mode=enforce operation=acquire outcome=allowed rule=api source=store",
                3.0,
                "limit=two mode=enforce operation=acquire outcome=allowed rule=api source=store",
                2.0,
                "limit=two mode=enforce operation=acquire outcome=denied rule=api source=store",
                1.0));
  }

  @Test
  void aWindowInWhichABudgetWarnedIsCountedOnce() {
    Policy budget = Policy.of("api", "budget", Limit.fixedWindow(10, HOUR).warnAt(80));
    for (String key : List.of("a", "b")) {
      for (int i = 0; i < 12; i++) {
        limiter.decide(List.of(Claim.of(budget, key)));
      }
    }
    assertThat(Series.of(registry, "weir.warnings"))
        .containsExactlyEntriesOf(Map.of("limit=budget rule=api", 2.0));
  }

  @Test
  void theOperationIsPartOfTheSeries() {
    limiter.decide(List.of(Claim.of(TEN, "key")));
    limiter.peek(List.of(Claim.of(TEN, "key")));
    limiter.charge(List.of(Claim.of(TEN, "key")));

    assertThat(Series.of(registry, "weir.decisions").keySet())
        .containsExactly(
            "limit=ten mode=enforce operation=acquire outcome=allowed rule=api source=store",
            "limit=ten mode=enforce operation=charge outcome=allowed rule=api source=store",
            "limit=ten mode=enforce operation=peek outcome=allowed rule=api source=store");
  }

  @Test
  void aShadowLimitThatWouldDenyIsCountedAsDeniedAndTheRequestAsAllowed() {
    Policy shadow = TWO.withMode(Mode.SHADOW);
    for (int i = 0; i < 3; i++) {
      limiter.decide(List.of(Claim.of(shadow, "key")));
    }

    assertThat(Series.of(registry, "weir.decisions"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "limit=two mode=shadow operation=acquire outcome=allowed rule=api source=store",
                2.0,
                "limit=two mode=shadow operation=acquire outcome=denied rule=api source=store",
                1.0));
    assertThat(Series.of(registry, "weir.requests"))
        .isEqualTo(Map.of("operation=acquire outcome=allowed", 3.0));
    assertThat(permits("two")).isEqualTo(2);
  }

  @Test
  void aRequestIsOneRequestHoweverManyLimitsItHas() {
    for (int i = 0; i < 3; i++) {
      limiter.decide(List.of(Claim.of(TEN, "key"), Claim.of(TWO, "key")));
    }
    limiter.peek(List.of(Claim.of(TWO, "key")));
    limiter.charge(List.of(Claim.of(TWO, "key")));
    limiter.decide(List.of());

    assertThat(Series.of(registry, "weir.requests"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "operation=acquire outcome=allowed", 3.0,
                "operation=acquire outcome=denied", 1.0,
                "operation=peek outcome=denied", 1.0,
                "operation=charge outcome=allowed", 1.0));
  }

  @Test
  void theSeriesOfRequestsAreThereBeforeTheFirst() {
    assertThat(Series.all(registry, "weir.requests"))
        .hasSize(9)
        .allSatisfy((tags, value) -> assertThat(value).isZero());
  }

  @Test
  void aRequestWithoutADecisionIsCountedAsFailed() {
    RateLimiter failing = RateLimiter.forClaims(new BrokenStore(memory).breakDown(), metrics);
    Policy strict = TEN.onStoreFailure(FailurePolicy.ERROR);

    assertThatThrownBy(() -> failing.decide(List.of(Claim.of(strict, "key"))))
        .isInstanceOf(StoreUnavailableException.class);
    assertThat(Series.of(registry, "weir.requests"))
        .isEqualTo(Map.of("operation=acquire outcome=failed", 1.0));
    assertThat(Series.all(registry, "weir.decisions")).isEmpty();
  }

  @Test
  void permitsAreThoseThatWereTaken() {
    limiter.decide(List.of(new Claim(TEN, "key", 7)));
    limiter.decide(List.of(new Claim(TEN, "key", 4))); // denied
    limiter.decide(List.of(new Claim(TEN, "key", 0)));
    limiter.peek(List.of(new Claim(TEN, "key", 3)));
    limiter.charge(List.of(new Claim(TEN, "key", 5)));

    assertThat(permits("ten")).isEqualTo(12);
  }

  @Test
  void whatAnotherLimitDeniedTookNothing() {
    limiter.decide(List.of(new Claim(TEN, "key", 9), new Claim(TWO, "key", 3)));

    assertThat(permits("ten")).isZero();
    assertThat(nearLimit("ten")).isZero();
  }

  @Test
  void aChargeCountsNoMoreThanItCanTake() {
    limiter.charge(List.of(new Claim(TEN, "key", 1_000_000)));

    assertThat(permits("ten")).isEqualTo(20); // all ten, and a debt of one capacity
  }

  @ParameterizedTest
  @ValueSource(longs = {5, 10, 15, 35, 100, 1_000_005})
  void nearTheLimitMeansThatAFifthOrLessIsLeft(long capacity) {
    Policy policy = Policy.of("api", "any", Limit.fixedWindow(capacity, HOUR));
    long fifth = capacity / 5;
    limiter.decide(List.of(new Claim(policy, "key", capacity - fifth - 1)));
    assertThat(nearLimit("any")).isZero();
    limiter.decide(List.of(new Claim(policy, "key", 1)));
    assertThat(nearLimit("any")).isEqualTo(1);
    limiter.decide(List.of(new Claim(policy, "key", fifth)));
    assertThat(nearLimit("any")).isEqualTo(2);
    limiter.decide(List.of(new Claim(policy, "key", 1))); // denied: over, not near
    assertThat(nearLimit("any")).isEqualTo(2);
  }

  @Test
  void aPeekIsNeverNearTheLimit() {
    limiter.decide(List.of(new Claim(TEN, "key", 7)));
    limiter.peek(List.of(new Claim(TEN, "key", 3)));
    limiter.decide(List.of(new Claim(TEN, "key", 0)));

    assertThat(nearLimit("ten")).isZero();
  }

  @Test
  void utilisationIsThatOfTheKeyThatHasUsedMost() {
    limiter.decide(List.of(new Claim(TEN, "much", 4)));
    limiter.decide(List.of(new Claim(TEN, "little", 1)));
    assertThat(utilisation("ten")).isCloseTo(0.4, within(1e-9));
    limiter.decide(List.of(new Claim(TEN, "much", 6)));
    assertThat(utilisation("ten")).isEqualTo(1);
  }

  @Test
  void utilisationIsForgottenAfterAMinute() {
    limiter.decide(List.of(new Claim(TEN, "key", 4)));
    clock.add(Duration.ofSeconds(39));
    assertThat(utilisation("ten")).isCloseTo(0.4, within(1e-9));
    clock.add(Duration.ofSeconds(22));
    assertThat(utilisation("ten")).isZero();
  }

  @Test
  void aBlockedKeyIsDeniedAndDoesNotMakeItsLimitLookUsed() {
    limiter.decide(List.of(new Claim(TEN, "key", 1)));
    limiter.decide(List.of(Claim.blocked(TEN, "blocked")));

    assertThat(Series.of(registry, "weir.requests"))
        .containsEntry("operation=acquire outcome=denied", 1.0);
    assertThat(utilisation("ten")).isCloseTo(0.1, within(1e-9));
    assertThat(permits("ten")).isEqualTo(1);
  }

  @Test
  void anAnswerByFailurePolicyIsMarkedAndDoesNotMakeTheLimitLookUsed() {
    RateLimiter failing = RateLimiter.forClaims(new BrokenStore(memory).breakDown(), metrics);
    Policy shut = TWO.onStoreFailure(FailurePolicy.DENY);
    failing.decide(List.of(Claim.of(TEN, "key"), Claim.of(shut, "key")));

    assertThat(Series.of(registry, "weir.decisions").keySet())
        .containsExactly(
            "limit=ten mode=enforce operation=acquire outcome=allowed rule=api source=fallback",
            "limit=two mode=enforce operation=acquire outcome=denied rule=api source=fallback");
    assertThat(utilisation("ten")).isZero();
    assertThat(permits("ten")).isZero();
    assertThat(nearLimit("ten")).isZero();
  }

  @Test
  void aDenialFromTheDenyCacheIsMarked() {
    LimitStore guarded = GuardedStore.around(memory);
    RateLimiter cached = RateLimiter.forClaims(guarded, metrics);
    cached.decide(List.of(new Claim(TWO, "key", 2)));
    cached.decide(List.of(Claim.of(TWO, "key")));
    cached.decide(List.of(Claim.of(TWO, "key")));

    assertThat(Series.of(registry, "weir.decisions").keySet())
        .containsExactly(
            "limit=two mode=enforce operation=acquire outcome=allowed rule=api source=store",
            "limit=two mode=enforce operation=acquire outcome=denied rule=api source=deny-cache",
            "limit=two mode=enforce operation=acquire outcome=denied rule=api source=store");
    guarded.close();
  }

  @Test
  void theQuickWayIsCountedLikeEveryOther() {
    RateLimiter quick = RateLimiter.builder().policy(TWO).store(memory).listener(metrics).build();
    for (int i = 0; i < 3; i++) {
      quick.tryAcquire("key");
    }

    assertThat(Series.of(registry, "weir.requests"))
        .isEqualTo(
            Map.of(
                "operation=acquire outcome=allowed", 2.0,
                "operation=acquire outcome=denied", 1.0));
    assertThat(permits("two")).isEqualTo(2);
    assertThat(nearLimit("two")).isEqualTo(1); // the first left half
  }

  private double permits(String limit) {
    return registry.get("weir.permits").tags("rule", "api", "limit", limit).counter().count();
  }

  private double nearLimit(String limit) {
    return registry.get("weir.near.limit").tags("rule", "api", "limit", limit).counter().count();
  }

  private double utilisation(String limit) {
    return registry.get("weir.utilisation").tags("rule", "api", "limit", limit).gauge().value();
  }
}
