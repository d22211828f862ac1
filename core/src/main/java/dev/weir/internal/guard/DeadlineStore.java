package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.Scheduler;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Fails calls that take longer than the deadline. A store that throws fails the stage instead.
 *
 * <p>All calls have the same time, so they expire in the order they were made: one queue and one
 * timer for its head replace a timer per call. A late answer of the store is dropped; whether it
 * took permits is unknown.
 */
public final class DeadlineStore extends GuardStage {
  private final Duration deadline;
  private final ConcurrentLinkedQueue<PendingAnswer> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean timing = new AtomicBoolean();

  private record PendingAnswer(long endsNanos, CompletableFuture<?> answer) {}

  public DeadlineStore(LimitStore store, Duration deadline) {
    super(store);
    this.deadline = deadline;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return bounded(() -> store().decide(question));
  }

  @Override
  public CompletionStage<LeaseAnswer> lease(Question question, int times) {
    return bounded(() -> store().lease(question, times));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return bounded(() -> store().refund(receipt));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return bounded(() -> store().reset(claims));
  }

  private <T> CompletionStage<T> bounded(Supplier<CompletionStage<T>> call) {
    long endsNanos = System.nanoTime() + deadline.toNanos();
    CompletableFuture<T> answer = started(call);
    if (answer.isDone()) {
      return answer;
    }
    CompletableFuture<T> bounded = answer.copy();
    waiting.add(new PendingAnswer(endsNanos, bounded));
    startTiming();
    return bounded;
  }

  private static <T> CompletableFuture<T> started(Supplier<CompletionStage<T>> call) {
    try {
      return call.get().toCompletableFuture();
    } catch (StoreUnavailableException | IllegalArgumentException | IllegalStateException known) {
      return CompletableFuture.failedFuture(known);
    } catch (RuntimeException thrown) {
      return CompletableFuture.failedFuture(
          new StoreUnavailableException("the store failed: " + thrown, thrown));
    }
  }

  private void startTiming() {
    PendingAnswer head = waiting.peek();
    if (head != null && timing.compareAndSet(false, true)) {
      long wait = Math.max(0, head.endsNanos - System.nanoTime());
      Scheduler.after(Duration.ofNanos(wait), this::expire);
    }
  }

  /** Runs on the timer: what depends on these answers is code of the guards alone. */
  private void expire() {
    timing.set(false);
    long now = System.nanoTime();
    PendingAnswer head = waiting.peek();
    while (head != null && (head.answer.isDone() || head.endsNanos - now <= 0)) {
      waiting.poll();
      if (!head.answer.isDone()) {
        head.answer.completeExceptionally(late());
      }
      head = waiting.peek();
    }
    startTiming();
  }

  private StoreUnavailableException late() {
    return StoreUnavailableException.withoutStackTrace(
        "the store did not answer within "
            + deadline.toMillis()
            + " ms; permits may have been taken");
  }
}
