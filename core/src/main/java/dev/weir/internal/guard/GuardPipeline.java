package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.LeaseStatus;
import dev.weir.Receipt;
import dev.weir.TimeSource;
import dev.weir.internal.CompletionFailures;
import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.Scheduler;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All guards around a store, in their order, and the boundary between them and callers. Safe for
 * many threads.
 *
 * <pre>
 * caller
 *   GuardPipeline        refuses calls after close; hands answers over to callers' code
 *   LeaseStore           answers questions about hot keys from permits taken in advance
 *   DenyCacheStore       repeats denials that still hold
 *   LocalFallbackStore   answers failed claims from the local share
 *   CallerDeadlineStore  ends calls whose caller cannot wait any longer
 *   CircuitBreakerStore  sends no calls to nodes that do not answer
 *   DeadlineStore        ends calls that take too long
 * store
 * </pre>
 *
 * <p>Charges of the local fallback bypass the breaker and have a deadline of their own.
 */
public final class GuardPipeline extends GuardStage {
  private static final Duration CHARGE_DEADLINE = Duration.ofSeconds(5);

  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param failuresToOpen calls without an answer in a row that open a breaker
   * @param denyCache how long a denial is repeated at most; zero for not at all
   * @param instances that share the limits; if empty, the store is asked
   */
  public record Settings(
      Duration deadline,
      int failuresToOpen,
      Duration denyCache,
      int denyCacheEntries,
      OptionalInt instances) {}

  private final LeaseStore leases;

  private GuardPipeline(LeaseStore outermost) {
    super(outermost);
    this.leases = outermost;
  }

  public static GuardPipeline around(LimitStore store, Settings settings, GuardEvents events) {
    CircuitBreakerStore breakers =
        new CircuitBreakerStore(
            new DeadlineStore(store, settings.deadline), settings.failuresToOpen, events);
    LocalFallbackStore fallback =
        new LocalFallbackStore(
            new CallerDeadlineStore(breakers, settings.deadline),
            new DeadlineStore(store, CHARGE_DEADLINE),
            breakers::isOpen,
            settings.instances,
            TimeSource.system(),
            events);
    breakers.whenClosed(fallback::chargeNow);
    LimitStore cached =
        settings.denyCache.isZero()
            ? fallback
            : new DenyCacheStore(
                fallback, settings.denyCache, settings.denyCacheEntries, System::nanoTime);
    return new GuardPipeline(LeaseStore.around(cached, GuardBounds.ofThisProcess().keys()));
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return open(() -> store().decide(question));
  }

  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    return open(() -> store().lease(question, times));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return open(() -> store().refund(receipt));
  }

  @Override
  public CompletionStage<List<Boolean>> renew(Receipt slots) {
    return open(() -> store().renew(slots));
  }

  @Override
  public CompletionStage<Verdicts> settle(Receipt receipt, List<Long> costs) {
    return open(() -> store().settle(receipt, costs));
  }

  @Override
  public CompletionStage<Void> forget(Question question) {
    return open(() -> store().forget(question));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return open(() -> store().reset(claims));
  }

  public LeaseStatus leases() {
    return leases.status();
  }

  private <T> CompletionStage<T> open(Supplier<CompletionStage<T>> call) {
    return closed.get()
        ? CompletableFuture.failedFuture(new IllegalStateException("the store is closed"))
        : handedOver(call.get().toCompletableFuture());
  }

  /** Hands answers that complete on the timer to a callback thread: callers' code may block. */
  private static <T> CompletionStage<T> handedOver(CompletableFuture<T> inside) {
    if (inside.isDone()) {
      return inside;
    }
    CompletableFuture<T> outside = new CompletableFuture<>();
    inside.whenComplete(
        (answer, thrown) -> {
          if (Scheduler.isCurrentThread()) {
            Callbacks.EXECUTOR.execute(() -> complete(outside, answer, thrown));
          } else {
            complete(outside, answer, thrown);
          }
        });
    return outside;
  }

  private static <T> void complete(
      CompletableFuture<T> outside, T answer, @Nullable Throwable thrown) {
    if (thrown == null) {
      outside.complete(answer);
    } else {
      outside.completeExceptionally(CompletionFailures.unwrap(thrown));
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      super.close();
    }
  }
}
