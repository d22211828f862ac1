package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.AsyncRateLimiter;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 52: code of users that blocks, throws or calls back delays nobody but itself. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // join cannot be interrupted
final class GuardThreadsTest {
  private final CountDownLatch released = new CountDownLatch(1);
  private final ControllableStore store = new ControllableStore(MemoryStore.create());

  @AfterEach
  void release() {
    released.countDown();
  }

  @Test
  void aContinuationThatBlocksDoesNotDelayTheDeadlineOfAnotherLimiter() {
    store.behaviour = Behaviour.SILENT;
    CountDownLatch blocked = new CountDownLatch(1);
    async(1000)
        .decide("key")
        .thenRun(
            () -> {
              blocked.countDown();
              await(released);
            });
    await(blocked);
    assertThat(limiter(1000, new GuardListener() {}).decide("key").source())
        .isEqualTo(Source.FALLBACK);
    assertThat(released.getCount()).isEqualTo(1);
  }

  @Test
  void callsThatTimeOutTogetherDoNotWaitForOneContinuation() {
    store.behaviour = Behaviour.SILENT;
    AsyncRateLimiter limiter = async(1_000_000);
    limiter.decide("key").thenRun(() -> await(released));
    List<CompletableFuture<Decision>> others =
        Stream.generate(() -> limiter.decide("key").toCompletableFuture()).limit(1000).toList();
    others.forEach(CompletableFuture::join);
    assertThat(released.getCount()).isEqualTo(1);
  }

  /** Each waits on a thread for callbacks for an answer that needs such a thread itself. */
  @Test
  void continuationsThatAskAgainDoNotBlockEachOther() {
    store.behaviour = Behaviour.SILENT;
    RateLimiter limiter = limiter(1_000_000, new GuardListener() {});
    List<CompletableFuture<Decision>> asked =
        Stream.generate(() -> limiter.async().decide("key").toCompletableFuture())
            .limit(200)
            .map(first -> first.thenApply(decision -> limiter.decide("key")))
            .toList();
    assertThat(asked).allMatch(again -> again.join().source() == Source.FALLBACK);
  }

  @Test
  void anAnswerThatTheDeadlineGaveIsCompletedByAThreadForCallbacks() {
    store.behaviour = Behaviour.SILENT;
    AtomicReference<String> thread = new AtomicReference<>("");
    async(1000).decide("key").thenRun(() -> thread.set(Thread.currentThread().getName()));
    Awaitility.await().until(() -> thread.get().startsWith("weir-callback-"));
  }

  @Test
  void aListenerThatBlocksKeepsNeitherProbesNorDeadlinesNorLogsFromGoingOn() {
    CountDownLatch told = new CountDownLatch(1);
    RateLimiter limiter =
        limiter(
            2,
            new GuardListener() {
              @Override
              public void breakerOpened(String node, StoreUnavailableException cause) {
                told.countDown();
                await(released);
              }
            });
    try (LogLines log = LogLines.of(GuardedStore.class)) {
      store.behaviour = Behaviour.SILENT;
      limiter.decide("key");
      limiter.decide("key");
      await(told);
      store.behaviour = Behaviour.ANSWERS;
      Awaitility.await().until(() -> limiter.decide("key").source() == Source.STORE);
      Awaitility.await().until(() -> log.lines().contains("INFO store answers again"));
    }
    assertThat(released.getCount()).isEqualTo(1);
  }

  @Test
  void aListenerThatThrowsIsLoggedOnceAndStillNotifiedOfEverythingElse() {
    AtomicInteger told = new AtomicInteger();
    GuardListener throwing =
        new GuardListener() {
          @Override
          public void breakerOpened(String node, StoreUnavailableException cause) {
            told.incrementAndGet();
            throw new IllegalStateException("broken listener");
          }

          @Override
          public void breakerClosed(String node) {
            told.incrementAndGet();
            throw new IllegalStateException("broken listener");
          }
        };
    try (LogLines log = LogLines.of(GuardedStore.class)) {
      RateLimiter limiter = limiter(1, throwing);
      for (int outage = 1; outage <= 3; outage++) {
        int calls = 2 * outage;
        store.behaviour = Behaviour.FAILS;
        limiter.decide("key");
        store.behaviour = Behaviour.ANSWERS;
        Awaitility.await().until(() -> told.get() == calls);
      }
      assertThat(limiter.decide("key").source()).isEqualTo(Source.STORE);
      assertThat(log.lines()).filteredOn(line -> line.startsWith("SEVERE")).hasSize(1);
    }
  }

  @Test
  void aListenerMayAskTheLimiterItListensTo() {
    AtomicReference<RateLimiter> limiter = new AtomicReference<>();
    AtomicReference<Source> answered = new AtomicReference<>();
    limiter.set(
        limiter(
            1,
            new GuardListener() {
              @Override
              public void breakerOpened(String node, StoreUnavailableException cause) {
                answered.set(limiter.get().decide("from the listener").source());
              }
            }));
    store.behaviour = Behaviour.SILENT;
    limiter.get().decide("key");
    Awaitility.await().until(() -> answered.get() == Source.FALLBACK);
  }

  private AsyncRateLimiter async(int failuresToOpen) {
    return limiter(failuresToOpen, new GuardListener() {}).async();
  }

  private RateLimiter limiter(int failuresToOpen, GuardListener listener) {
    GuardedStore guarded =
        GuardedStore.builder(store)
            .deadline(Duration.ofMillis(50))
            .breakerAfter(failuresToOpen)
            .listener(listener)
            .build();
    Policy policy = Policy.of("r", "many", Limit.fixedWindow(1_000_000, Duration.ofDays(1)));
    return RateLimiter.builder()
        .policy(policy.onStoreFailure(FailurePolicy.ALLOW))
        .store(guarded)
        .build();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
