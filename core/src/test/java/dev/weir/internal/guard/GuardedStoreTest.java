package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.guard.ControllableStore.Behaviour;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What callers see when the store fails, is silent, and comes back. */
final class GuardedStoreTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final ControllableStore store = new ControllableStore(MemoryStore.create());
  private final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();

  private final GuardListener listener =
      new GuardListener() {
        @Override
        public void breakerOpened(String node, StoreUnavailableException cause) {
          events.add("opened");
        }

        @Override
        public void breakerClosed(String node) {
          events.add("closed");
        }

        @Override
        public void fallbackStarted() {
          events.add("fallback");
        }

        @Override
        public void fallbackEnded() {
          events.add("no fallback");
        }
      };

  @Test
  void aSilentStoreIsAnsweredForAtTheDeadline() {
    RateLimiter limiter = limiter(guarded(1000), FailurePolicy.ALLOW);
    store.behaviour = Behaviour.SILENT;
    long start = System.nanoTime();
    Decision decision = limiter.decide("key");
    assertThat(decision.allowed()).isTrue();
    assertThat(decision.source()).isEqualTo(Source.FALLBACK);
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(ms(30), Duration.ofSeconds(5));
  }

  @Test
  void aCallerWhoCannotWaitIsAnsweredByThePolicyAndTheBreakerStaysClosed() {
    LimitStore patient =
        GuardedStore.builder(store).deadline(HOUR).breakerAfter(1).listener(listener).build();
    store.behaviour = Behaviour.SILENT;
    for (int i = 0; i < 3; i++) {
      Decision decision =
          limiter(patient, FailurePolicy.DENY)
              .async()
              .within(ms(5))
              .decide("key")
              .toCompletableFuture()
              .join();
      assertThat(decision.allowed()).isFalse();
      assertThat(decision.source()).isEqualTo(Source.FALLBACK);
    }
    assertThat(store.asked).hasValue(3);
    assertThat(events).isEmpty();
  }

  @Test
  void aCallerWhoCanWaitForLongerThanTheDeadlineIsAnsweredAtTheDeadline() {
    store.behaviour = Behaviour.SILENT;
    Decision decision =
        limiter(guarded(1000), FailurePolicy.ALLOW)
            .async()
            .within(HOUR)
            .decide("key")
            .toCompletableFuture()
            .join();
    assertThat(decision.source()).isEqualTo(Source.FALLBACK);
  }

  @Test
  void eachFailurePolicyAnswersInItsOwnWay() {
    LimitStore guarded = guarded(1000);
    store.behaviour = Behaviour.FAILS;
    assertThat(limiter(guarded, FailurePolicy.ALLOW).decide("key").allowed()).isTrue();
    assertThat(limiter(guarded, FailurePolicy.DENY).decide("key").allowed()).isFalse();
    assertThat(limiter(guarded, FailurePolicy.LOCAL).decide("key").allowed()).isFalse();
    assertThatThrownBy(() -> limiter(guarded, FailurePolicy.ERROR).decide("key"))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessage("cut off");
  }

  @Test
  void anOpenBreakerAsksNobodyButProbesUntilTheStoreIsBack() {
    RateLimiter limiter = limiter(guarded(3), FailurePolicy.ALLOW);
    store.behaviour = Behaviour.FAILS;
    for (int i = 0; i < 3; i++) {
      limiter.decide("key");
    }
    awaitEvents("opened");
    int asked = store.asked.get();
    for (int i = 0; i < 10_000; i++) {
      assertThat(limiter.decide("key").source()).isEqualTo(Source.FALLBACK);
    }
    assertThat(store.asked.get() - asked).isLessThan(1000);
    store.behaviour = Behaviour.ANSWERS;
    Awaitility.await().until(() -> events.contains("closed"));
    assertThat(limiter.decide("key").source()).isEqualTo(Source.STORE);
    awaitEvents("opened", "closed");
  }

  @Test
  void aStoreThatAnswersWithErrorsIsNotSilent() {
    RateLimiter limiter = limiter(guarded(3), FailurePolicy.DENY);
    store.behaviour = Behaviour.REFUSES;
    for (int i = 0; i < 20; i++) {
      assertThat(limiter.decide("key").allowed()).isFalse();
    }
    assertThat(store.asked.get()).isEqualTo(20);
    assertThat(events).isEmpty();
  }

  @Test
  void aLocalShareIsTheLimitDividedByTheInstances() {
    RateLimiter limiter = limiter(guarded(3), FailurePolicy.LOCAL);
    store.instances = OptionalInt.of(4);
    store.behaviour = Behaviour.FAILS;
    assertThat(admitted(limiter, 20)).isEqualTo(2); // of 10
    awaitEvents("fallback", "opened");
  }

  @Test
  void aLocalShareStartsWithWhatWasLeftInTheStore() {
    RateLimiter limiter = limiter(guarded(3), FailurePolicy.LOCAL);
    store.instances = OptionalInt.of(2);
    limiter.decide("key", 9);
    store.behaviour = Behaviour.FAILS;
    assertThat(admitted(limiter, 20)).isEqualTo(1);
  }

  @Test
  void whatWasUsedLocallyIsChargedWhenTheStoreIsBack() {
    RateLimiter limiter = limiter(guarded(3), FailurePolicy.LOCAL);
    store.instances = OptionalInt.of(2);
    limiter.decide("key", 2);
    store.behaviour = Behaviour.FAILS;
    assertThat(admitted(limiter, 20)).isEqualTo(5);
    store.behaviour = Behaviour.ANSWERS;
    Awaitility.await().until(() -> events.contains("closed"));
    limiter.peek("key");
    Awaitility.await().until(() -> limiter.peek("key").remaining() == 3);
    awaitEvents("fallback", "opened", "closed", "no fallback");
  }

  /** One answer may have been under way when the store fell; it is not its return. */
  @Test
  void aShareIsNotHandedOutAgainBeforeTheStoreHasTakenNoteOfIt() {
    RateLimiter limiter = limiter(guarded(1000), FailurePolicy.LOCAL);
    store.instances = OptionalInt.of(2);
    store.behaviour = Behaviour.FAILS;
    assertThat(admitted(limiter, 20)).isEqualTo(5);
    store.behaviour = Behaviour.ANSWERS_PEEKS;
    limiter.peek("key");
    store.behaviour = Behaviour.FAILS;
    assertThat(admitted(limiter, 20)).isZero();
    awaitEvents("fallback");

    store.behaviour = Behaviour.ANSWERS;
    limiter.peek("key");
    Awaitility.await().until(() -> limiter.peek("key").remaining() == 5);
    awaitEvents("fallback", "no fallback");
  }

  @Test
  void mixedPoliciesAreAnsweredEachInItsOwnWay() {
    LimitStore guarded = guarded(1000);
    store.behaviour = Behaviour.FAILS;
    Policy open = Policy.of("mixed", "open", Limit.fixedWindow(5, HOUR));
    Policy shut =
        Policy.of("mixed", "shut", Limit.fixedWindow(5, HOUR)).onStoreFailure(FailurePolicy.DENY);
    RateLimiter limiter = RateLimiter.builder().policy(open).store(guarded).build();
    Decision both = limiter.decide(List.of(Claim.of(open, "key"), Claim.of(shut, "key")));
    assertThat(both.allowed()).isFalse();
    assertThat(both.outcomes()).extracting(o -> o.allowed()).containsExactly(true, false);
  }

  @Test
  void aDenialIsRepeatedWithoutAsking() {
    RateLimiter limiter = limiter(guarded(3), FailurePolicy.ALLOW);
    limiter.decide("key", 10);
    Decision first = limiter.decide("key");
    int asked = store.asked.get();
    for (int i = 0; i < 100; i++) {
      Decision again = limiter.decide("key");
      assertThat(again.allowed()).isFalse();
      assertThat(again.source()).isEqualTo(Source.DENY_CACHE);
      assertThat(again.retryAfter()).isBetween(Duration.ZERO, first.retryAfter());
    }
    assertThat(store.asked.get()).isEqualTo(asked);
    limiter.peek("key");
    assertThat(store.asked.get()).isEqualTo(asked + 1);
    limiter.refund("key", 1);
    assertThat(limiter.decide("key").allowed()).isTrue();
  }

  private void awaitEvents(String... expected) {
    Awaitility.await().untilAsserted(() -> assertThat(events).containsExactly(expected));
  }

  private static int admitted(RateLimiter limiter, int attempts) {
    int admitted = 0;
    for (int i = 0; i < attempts; i++) {
      Decision decision = limiter.decide("key");
      assertThat(decision.source()).isEqualTo(Source.FALLBACK);
      admitted += decision.allowed() ? 1 : 0;
    }
    return admitted;
  }

  private LimitStore guarded(int failuresToOpen) {
    return GuardedStore.builder(store)
        .deadline(ms(30))
        .breakerAfter(failuresToOpen)
        .listener(listener)
        .build();
  }

  private static RateLimiter limiter(LimitStore guarded, FailurePolicy policy) {
    return RateLimiter.builder()
        .policy(Policy.of("r", "ten", Limit.fixedWindow(10, HOUR)).onStoreFailure(policy))
        .store(guarded)
        .build();
  }

  private static Duration ms(int millis) {
    return Duration.ofMillis(millis);
  }
}
