package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Answers for a store that takes too long: no call waits beyond the deadline.
 *
 * <p>All calls have the same time, so they run out in the order they were made: a queue and one
 * timer for its head do, instead of a timer per call. A late answer of the store is dropped;
 * whether it took permits is unknown.
 */
public final class DeadlineStore extends Decorator {
  private final Duration deadline;
  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean timing = new AtomicBoolean();

  private record Waiting(long endsNanos, CompletableFuture<?> answer) {}

  public DeadlineStore(LimitStore store, Duration deadline) {
    super(store);
    this.deadline = deadline;
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    return bounded(store.decide(question));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return bounded(store.refund(receipt));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return bounded(store.reset(claims));
  }

  private <T> CompletionStage<T> bounded(CompletionStage<T> asked) {
    CompletableFuture<T> answer = asked.toCompletableFuture();
    if (answer.isDone()) {
      return answer;
    }
    CompletableFuture<T> bounded = answer.copy();
    waiting.add(new Waiting(System.nanoTime() + deadline.toNanos(), bounded));
    startTiming();
    return bounded;
  }

  private void startTiming() {
    Waiting head = waiting.peek();
    if (head != null && timing.compareAndSet(false, true)) {
      long wait = Math.max(0, head.endsNanos - System.nanoTime());
      Timer.after(Duration.ofNanos(wait), this::expire);
    }
  }

  private void expire() {
    timing.set(false);
    long now = System.nanoTime();
    Waiting head = waiting.peek();
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
    return new StoreUnavailableException(
        "the store did not answer within "
            + deadline.toMillis()
            + " ms; permits may have been taken");
  }
}
