package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.spi.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a limiter tells its listener. */
final class DecisionListenerTest {
  private final List<String> heard = new ArrayList<>();

  private final DecisionListener listener =
      new DecisionListener() {
        @Override
        public void decided(Operation operation, Decision decision) {
          heard.add(operation + " " + (decision.allowed() ? "allowed" : "denied"));
        }

        @Override
        public void failed(Operation operation, StoreUnavailableException failure) {
          heard.add(operation + " failed: " + failure.getMessage());
        }
      };

  @Test
  void theListenerIsNotifiedOnceOfEveryCall() throws InterruptedException {
    try (RateLimiter limiter = limiter()) {
      limiter.tryAcquire("a");
      limiter.decide("a");
      limiter.decide("a");
      limiter.peek("a");
      limiter.charge("a", 1);
      limiter.acquire("a", 1, Duration.ZERO);
      limiter.async().decide("b");
    }

    assertThat(heard)
        .containsExactly(
            "ACQUIRE allowed",
            "ACQUIRE allowed",
            "ACQUIRE denied",
            "PEEK denied",
            "CHARGE allowed",
            "ACQUIRE denied",
            "ACQUIRE allowed");
  }

  @Test
  void theListenerIsNotifiedOfARequestWithoutLimits() {
    try (MemoryStore store = MemoryStore.create()) {
      RateLimiter.forClaims(store, listener).decide(List.of());
    }

    assertThat(heard).containsExactly("ACQUIRE allowed");
  }

  @Test
  void theListenerIsNotifiedOfAFailureWithoutADecision() {
    Policy strict =
        Policy.of("rule", "limit", Limit.tokenBucket(1, Duration.ofHours(1)))
            .onStoreFailure(FailurePolicy.ERROR);
    try (MemoryStore full = MemoryStore.builder().maxKeys(1).build()) {
      RateLimiter limiter =
          RateLimiter.builder().policy(strict).store(full).listener(listener).build();
      limiter.decide("a");
      assertThatThrownBy(() -> limiter.decide("b")).isInstanceOf(StoreUnavailableException.class);
    }

    assertThat(heard)
        .containsExactly(
            "ACQUIRE allowed",
            "ACQUIRE failed: the memory store is full (1 keys) and every sampled key is exhausted");
  }

  @Test
  void aListenerThatThrowsChangesNoDecision() {
    DecisionListener broken =
        (operation, decision) -> {
          throw new IllegalStateException("broken");
        };
    try (RateLimiter limiter =
        RateLimiter.builder()
            .limit("limit", Limit.tokenBucket(1, Duration.ofHours(1)))
            .listener(broken)
            .build()) {
      assertThat(limiter.tryAcquire("a")).isTrue();
      assertThat(limiter.tryAcquire("a")).isFalse();
    }
  }

  private RateLimiter limiter() {
    return RateLimiter.builder()
        .limit("limit", Limit.tokenBucket(2, Duration.ofHours(1)))
        .listener(listener)
        .build();
  }
}
