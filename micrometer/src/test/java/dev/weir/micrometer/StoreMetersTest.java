package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a store and its guards leave in a registry. */
final class StoreMetersTest {
  private static final Policy ONE =
      Policy.of("api", "one", Limit.fixedWindow(1, Duration.ofHours(1)));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WeirMetrics metrics = new WeirMetrics(registry);
  private final BrokenStore store = new BrokenStore(MemoryStore.create());

  @Test
  void everyCallOfAStoreIsTimedByWhatBecameOfIt() {
    RateLimiter limiter = RateLimiter.forClaims(metrics.timed(store));
    Claim claim = Claim.of(ONE, "key");
    limiter.refund(limiter.decide(List.of(claim)));
    limiter.peek(List.of(claim));
    limiter.reset(List.of(claim));
    store.breakDown();
    limiter.decide(List.of(claim));

    assertThat(Series.all(registry, "weir.store.latency"))
        .isEqualTo(
            Map.of(
                "call=decide result=answered", 2.0,
                "call=decide result=failed", 1.0,
                "call=refund result=answered", 1.0,
                "call=refund result=failed", 0.0,
                "call=reset result=answered", 1.0,
                "call=reset result=failed", 0.0));
  }

  @Test
  void anAnswerThatSaysOfAClaimThatItFailedIsAFailure() {
    LimitStore full = metrics.timed(MemoryStore.builder().maxKeys(1).build());
    RateLimiter limiter = RateLimiter.forClaims(full);
    limiter.decide(List.of(Claim.of(ONE, "first")));
    limiter.decide(List.of(Claim.of(ONE, "no room left")));

    assertThat(Series.of(registry, "weir.store.latency"))
        .isEqualTo(
            Map.of(
                "call=decide result=answered", 1.0,
                "call=decide result=failed", 1.0));
  }

  @Test
  void anAnswerOfNothingIsAFailureAndReachesTheCaller() {
    LimitStore mistaken =
        new ForwardingLimitStore(store) {
          @Override
          public CompletionStage<Verdicts> decide(Question question) {
            return CompletableFuture.completedFuture(null);
          }
        };
    Question question = new Question(Operation.ACQUIRE, List.of(Claim.of(ONE, "key")));
    assertThat(metrics.timed(mistaken).decide(question)).isCompletedWithValue(null);
    assertThat(Series.of(registry, "weir.store.latency"))
        .isEqualTo(Map.of("call=decide result=failed", 1.0));
  }

  @Test
  void aTimedStoreIsTheStoreInAllElse() {
    try (MemoryStore memory = MemoryStore.create()) {
      assertThat(metrics.timed(memory).fastPath(ONE)).isPresent();
    }
    LimitStore timed = metrics.timed(store);
    assertThat(timed.fastPath(ONE)).isEmpty();
    assertThat(timed.node(Claim.of(ONE, "node-7"))).isEqualTo("node-7");
    assertThat(timed.instances()).isEmpty();
  }

  @Test
  void aBreakerShowsTheNodeThatIsNotAskedUntilItAnswersAgain() {
    try (LimitStore guarded =
        GuardedStore.builder(store).breakerAfter(2).listener(metrics).build()) {
      RateLimiter limiter = RateLimiter.forClaims(guarded);
      limiter.decide(List.of(Claim.of(ONE, "node-1")));
      assertThat(Series.all(registry, "weir.breaker.open")).isEmpty();
      store.breakDown();
      limiter.decide(List.of(Claim.of(ONE, "node-2")));
      limiter.decide(List.of(Claim.of(ONE, "node-2")));

      awaitSeries("weir.breaker.open", Map.of("node=node-2", 1.0));
      assertThat(Series.all(registry, "weir.breaker.opened")).isEqualTo(Map.of("", 1.0));
      store.repair();
      awaitSeries("weir.breaker.open", Map.of("node=node-2", 0.0));
    }
    assertThat(Series.all(registry, "weir.breaker.opened")).isEqualTo(Map.of("", 1.0));
  }

  @Test
  void nodesOpenAndCloseOneByOne() {
    StoreUnavailableException cause = new StoreUnavailableException("cut off");
    metrics.breakerOpened("a", cause);
    metrics.breakerOpened("b", cause);
    metrics.breakerClosed("a");
    metrics.breakerOpened("b", cause);

    assertThat(Series.all(registry, "weir.breaker.open"))
        .isEqualTo(Map.of("node=a", 0.0, "node=b", 1.0));
    assertThat(Series.all(registry, "weir.breaker.opened")).isEqualTo(Map.of("", 3.0));
  }

  @Test
  void aFallbackShowsWhileLocalSharesStandIn() {
    assertThat(Series.all(registry, "weir.fallback.active")).isEqualTo(Map.of("", 0.0));
    try (LimitStore guarded = GuardedStore.builder(store).instances(1).listener(metrics).build()) {
      RateLimiter limiter = RateLimiter.forClaims(guarded);
      Claim claim = Claim.of(ONE.onStoreFailure(FailurePolicy.LOCAL), "key");
      store.breakDown();
      limiter.decide(List.of(claim));
      awaitSeries("weir.fallback.active", Map.of("", 1.0));
      store.repair();
      awaitSeries("weir.fallback.active", Map.of("", 0.0));
    }
  }

  @Test
  void aNodeThatRefusesShowsUntilItAccepts() {
    assertThat(Series.all(registry, "weir.node.refusing")).isEmpty();
    metrics.nodeRefuses("a", StoreUnavailableException.refused("OOM"));
    assertThat(Series.all(registry, "weir.node.refusing")).isEqualTo(Map.of("node=a", 1.0));
    metrics.nodeAccepts("a");
    assertThat(Series.all(registry, "weir.node.refusing")).isEqualTo(Map.of("node=a", 0.0));
  }

  private void awaitSeries(String name, Map<String, Double> expected) {
    Awaitility.await()
        .untilAsserted(() -> assertThat(Series.all(registry, name)).isEqualTo(expected));
  }
}
