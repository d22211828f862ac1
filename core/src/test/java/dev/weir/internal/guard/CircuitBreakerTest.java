package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.guard.ControllableStore.Behaviour;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 51, 53 and 54: what opens and closes a breaker, whatever comes late. */
@Tag("slow")
@Timeout(120)
final class CircuitBreakerTest {
  private static final Duration SHORT_WHILE = Duration.ofMillis(400);
  private static final Policy MANY =
      Policy.of("r", "many", Limit.fixedWindow(1_000_000, Duration.ofDays(1)));

  private final RecordingListener listener = new RecordingListener();
  private final ControllableStore controllable = new ControllableStore(MemoryStore.create());
  private final HeldStore held = new HeldStore(MemoryStore.create());
  private final List<LimitStore> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(LimitStore::close);
  }

  @Test
  void opensOnceUnderEightThreads() {
    RateLimiter limiter = limiter(guarded(controllable, 3), FailurePolicy.ALLOW);
    controllable.behaviour = Behaviour.FAILS;
    IntStream.range(0, 8)
        .mapToObj(
            i ->
                CompletableFuture.runAsync(
                    () -> decide(limiter, 2000), task -> new Thread(task).start()))
        .toList()
        .forEach(CompletableFuture::join);
    listener.await("opened");
    controllable.behaviour = Behaviour.ANSWERS;
    listener.await("opened", "closed");
    assertThat(limiter.decide("key").source()).isEqualTo(Source.STORE);
  }

  @Test
  void aLateSuccessDoesNotLetItOpenTwice() {
    LimitStore guarded = guarded(held, 3);
    held.holds = operation -> true;
    List<HeldStore.Held> calls = sent(guarded, 10);
    calls.subList(0, 2).forEach(HeldStore.Held::lose);
    last(sent(guarded, 1)).lose();
    calls.get(2).deliver();
    calls.subList(3, 10).forEach(HeldStore.Held::lose);
    Awaitility.await().until(() -> held.heldPeeks() == 1);
    Awaitility.await().during(SHORT_WHILE).until(() -> held.heldPeeks() == 1);
    assertThat(listener.events).containsExactly("opened");
  }

  @Test
  void aLateFailureDoesNotOpenItAgain() {
    LimitStore guarded = guarded(held, 3);
    held.holds = operation -> operation == Operation.ACQUIRE;
    List<HeldStore.Held> calls = sent(guarded, 10);
    calls.subList(0, 2).forEach(HeldStore.Held::lose);
    last(sent(guarded, 1)).lose();
    listener.await("opened", "closed");
    calls.subList(2, 10).forEach(HeldStore.Held::lose);
    held.holds = operation -> false;
    assertThat(limiter(guarded, FailurePolicy.DENY).decide("key").source()).isEqualTo(Source.STORE);
    assertThat(listener.events).containsExactly("opened", "closed");
  }

  @Test
  void callsThatOnePauseHasMadeLateTogetherDoNotOpenIt() {
    LimitStore guarded = guarded(held, 3);
    held.holds = operation -> true;
    sent(guarded, 10).forEach(HeldStore.Held::lose);
    assertThat(listener.events).isEmpty();

    last(sent(guarded, 1)).lose();
    listener.await("opened");
  }

  /** Probes are answered, and what is sent next is lost: it opens in the moment it has closed. */
  @Test
  void closingIsReportedBeforeTheOpeningThatFollows() {
    RateLimiter limiter = limiter(guarded(controllable, 1), FailurePolicy.ALLOW);
    controllable.behaviour = Behaviour.ANSWERS_PEEKS;
    List<CompletableFuture<Void>> callers =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    CompletableFuture.runAsync(
                        () -> {
                          while (listener.events.size() < 40) {
                            limiter.decide("key");
                          }
                        },
                        task -> new Thread(task).start()))
            .toList();
    callers.forEach(CompletableFuture::join);
    List<String> events = List.copyOf(listener.events);
    for (int i = 0; i < 40; i++) {
      assertThat(events.get(i)).as("event %d", i).isEqualTo(i % 2 == 0 ? "opened" : "closed");
    }
  }

  @Test
  void aCallCountsOnceHoweverManyClaimsItHas() {
    RateLimiter limiter = limiter(guarded(controllable, 3), FailurePolicy.ALLOW);
    controllable.behaviour = Behaviour.FAILS;
    List<Claim> claims = IntStream.range(0, 5).mapToObj(i -> Claim.of(MANY, "key-" + i)).toList();
    limiter.decide(claims);
    limiter.decide(claims);
    assertThat(controllable.asked.get()).isEqualTo(2);
    limiter.decide(claims);
    listener.await("opened");
  }

  /** FAULTS 51. */
  @Test
  void nothingGrowsWhileItIsOpen() {
    RateLimiter limiter = limiter(guarded(controllable, 1), FailurePolicy.ERROR);
    controllable.behaviour = Behaviour.FAILS;
    catchThrowableOfType(StoreUnavailableException.class, () -> limiter.decide("key"));
    StoreUnavailableException last = null;
    for (int i = 0; i < 20_000; i++) {
      StoreUnavailableException failure =
          catchThrowableOfType(StoreUnavailableException.class, () -> limiter.decide("key"));
      assertThat(failure)
          .isNotSameAs(last)
          .hasMessageStartingWith("store does not answer, so no calls are sent to it");
      assertThat(failure.getSuppressed()).hasSizeLessThanOrEqualTo(1);
      last = failure;
    }
    listener.await("opened");
  }

  @Test
  void aStoreThatRefusesIsReportedOncePerChange() {
    LimitStore guarded = guarded(controllable, 3);
    RateLimiter limiter = limiter(guarded, FailurePolicy.DENY);
    controllable.behaviour = Behaviour.REFUSES;
    for (int i = 0; i < 100; i++) {
      assertThat(limiter.decide("key").source()).isEqualTo(Source.FALLBACK);
    }
    listener.await("refuses");
    assertThat(guarded.warnings()).containsExactly("store can be reached but refuses: full");
    controllable.behaviour = Behaviour.ANSWERS;
    limiter.decide("key");
    listener.await("refuses", "accepts");
    assertThat(guarded.warnings()).isEmpty();
  }

  /** A server without memory answers what it need not write. */
  @Test
  void answersThatTakeNothingDoNotEndARefusal() {
    RateLimiter limiter = limiter(guarded(controllable, 3), FailurePolicy.DENY);
    controllable.behaviour = Behaviour.REFUSES;
    limiter.decide("key");
    controllable.behaviour = Behaviour.ANSWERS;
    listener.await("refuses");
    Awaitility.await()
        .during(Duration.ofMillis(2500))
        .until(() -> limiter.peek("key").allowed() && listener.events.size() == 1);
  }

  @Test
  void aServerThatIsLoadingHasNotComeBackWell() {
    RateLimiter limiter = limiter(guarded(controllable, 1), FailurePolicy.DENY);
    controllable.behaviour = Behaviour.FAILS;
    limiter.decide("key");
    listener.await("opened");
    controllable.behaviour = Behaviour.REFUSES;
    listener.await("opened", "refuses", "closed");
    controllable.behaviour = Behaviour.ANSWERS;
    limiter.decide("key");
    listener.await("opened", "refuses", "closed", "accepts");
  }

  @Test
  void aRefusalOfOneKeySaysNothingOfItsNode() {
    LimitStore foreign =
        failing(() -> CompletableFuture.failedFuture(StoreUnavailableException.refusedKey("hash")));
    RateLimiter limiter = limiter(guarded(foreign, 1), FailurePolicy.ALLOW);
    decide(limiter, 10);
    Awaitility.await().during(SHORT_WHILE).until(listener.events::isEmpty);
  }

  @Test
  void aStoreThatThrowsIsAnsweredForByPolicy() {
    LimitStore throwing =
        failing(
            () -> {
              throw new UnsupportedOperationException("no partition");
            });
    RateLimiter limiter = limiter(guarded(throwing, 2), FailurePolicy.ALLOW);
    decide(limiter, 2);
    assertThat(limiter.decide("key").source()).isEqualTo(Source.FALLBACK);
    listener.await("opened");
  }

  @Test
  void aStoreThatCannotNameTheNodeIsAskedAllTheSame() {
    LimitStore nameless =
        new ForwardingLimitStore(MemoryStore.create()) {
          @Override
          public String node(Claim claim) {
            throw new IllegalStateException("no topology yet");
          }
        };
    assertThat(limiter(guarded(nameless, 1), FailurePolicy.DENY).decide("key").source())
        .isEqualTo(Source.STORE);
  }

  private interface Call {
    CompletionStage<Verdicts> answer();
  }

  private static LimitStore failing(Call call) {
    return new ForwardingLimitStore(MemoryStore.create()) {
      @Override
      public CompletionStage<Verdicts> decide(Question question) {
        return call.answer();
      }
    };
  }

  private List<HeldStore.Held> sent(LimitStore guarded, int count) {
    Question question = new Question(Operation.ACQUIRE, List.of(Claim.of(MANY, "key")));
    IntStream.range(0, count).forEach(i -> guarded.decide(question));
    return List.copyOf(held.held);
  }

  private static HeldStore.Held last(List<HeldStore.Held> calls) {
    return calls.get(calls.size() - 1);
  }

  private static void decide(RateLimiter limiter, int times) {
    for (int i = 0; i < times; i++) {
      limiter.decide("key");
    }
  }

  private LimitStore guarded(LimitStore store, int failuresToOpen) {
    LimitStore guarded =
        GuardedStore.builder(store)
            .deadline(Duration.ofSeconds(20))
            .breakerAfter(failuresToOpen)
            .listener(listener)
            .build();
    open.add(guarded);
    return guarded;
  }

  private static RateLimiter limiter(LimitStore guarded, FailurePolicy policy) {
    return RateLimiter.builder().policy(MANY.onStoreFailure(policy)).store(guarded).build();
  }
}
