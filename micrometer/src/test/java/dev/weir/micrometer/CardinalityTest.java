package dev.weir.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.spi.LimitStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** FAULTS 34: clients cannot make series, whatever keys they come up with. */
final class CardinalityTest {
  private static final Policy ONE =
      Policy.of("api", "one", Limit.fixedWindow(1, Duration.ofHours(1)));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WeirMetrics metrics = new WeirMetrics(registry);

  @Test
  void aFloodOfKeysLeavesTheNumberOfSeriesAsItIs() {
    try (LimitStore store =
        GuardedStore.builder(metrics.timed(MemoryStore.create())).listener(metrics).build()) {
      RateLimiter limiter = RateLimiter.forClaims(store, metrics);
      askInEveryWay(limiter, "secret-first");
      int before = registry.getMeters().size();
      for (int i = 0; i < 10_000; i++) {
        askInEveryWay(limiter, "secret-" + i);
      }
      assertThat(registry.getMeters()).hasSize(before);
    }
  }

  @Test
  void aKeyIsNoPartOfAnyNameOrTag() {
    try (LimitStore store =
        GuardedStore.builder(metrics.timed(MemoryStore.create())).listener(metrics).build()) {
      askInEveryWay(RateLimiter.forClaims(store, metrics), "secret");
    }

    assertThat(registry.getMeters())
        .isNotEmpty()
        .noneMatch(meter -> meter.getId().toString().contains("secret"));
  }

  /** Allowed, denied by the store, denied by the cache, peeked, charged, blocked, given back. */
  private static void askInEveryWay(RateLimiter limiter, String key) {
    List<Claim> claims = List.of(Claim.of(ONE, key));
    limiter.decide(claims);
    limiter.decide(claims);
    limiter.decide(claims);
    limiter.peek(claims);
    limiter.charge(claims);
    limiter.decide(List.of(Claim.blocked(ONE, key)));
    limiter.reset(claims);
    limiter.refund(limiter.decide(claims));
  }
}
