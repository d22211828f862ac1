package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import dev.weir.internal.guard.ControllableStore.Behaviour;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** FAULTS 65 for guards: after close a clear exception, and no more background work. */
final class GuardCloseTest {
  private static final Policy TEN =
      Policy.of("r", "ten", Limit.fixedWindow(10, Duration.ofDays(1)))
          .onStoreFailure(FailurePolicy.LOCAL);

  private final ControllableStore store = new ControllableStore(MemoryStore.create());
  private final RecordingListener listener = new RecordingListener();
  private final GuardedStore guarded =
      GuardedStore.builder(store)
          .deadline(Duration.ofMillis(30))
          .breakerAfter(1)
          .instances(1)
          .listener(listener)
          .build();
  private final List<Claim> claims = List.of(Claim.of(TEN, "key"));

  @Test
  void everyCallFailsWithAClearException() {
    guarded.close();
    assertClosed(guarded.decide(new Question(Operation.ACQUIRE, claims)));
    assertClosed(guarded.refund(Receipt.undated(claims)));
    assertClosed(guarded.reset(claims));
    assertThatThrownBy(() -> RateLimiter.builder().policy(TEN).store(guarded).build().decide("key"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the store is closed");
  }

  @Test
  void probesAndChargesEnd() {
    store.behaviour = Behaviour.FAILS;
    RateLimiter.builder().policy(TEN).store(guarded).build().decide("key");
    listener.await("opened", "fallback");
    guarded.close();
    guarded.close();
    int asked = store.asked.get();
    Awaitility.await()
        .during(Duration.ofMillis(1500))
        .until(() -> store.asked.get() <= asked + 1); // one may be under way
  }

  @Test
  void aCallThatIsUnderWayEndsAtItsDeadline() {
    store.behaviour = Behaviour.SILENT;
    CompletionStage<?> call = guarded.decide(new Question(Operation.PEEK, claims));
    guarded.close();
    Awaitility.await().until(() -> call.toCompletableFuture().isDone());
  }

  @Test
  void warmingUpChangesNothingAndLogsNothing() {
    try (LogLines log = LogLines.of(GuardedStore.class)) {
      GuardedStore.warmUp();
      assertThat(log.lines()).isEmpty();
    }
    assertThat(store.asked.get()).isZero();
    assertThat(listener.events).isEmpty();
  }

  private static void assertClosed(CompletionStage<?> call) {
    assertThatThrownBy(() -> call.toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("the store is closed");
  }
}
