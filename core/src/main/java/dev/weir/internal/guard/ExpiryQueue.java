package dev.weir.internal.guard;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Fails answers that do not come in time. Safe for many threads.
 *
 * <p>All answers have the same timeout, so they expire in the order of the calls: one queue with a
 * timer for its head replaces a timer per call.
 */
final class ExpiryQueue {
  private final Duration timeout;
  private final ConcurrentLinkedQueue<PendingAnswer> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean timing = new AtomicBoolean();

  private record PendingAnswer(long endsNanos, CompletableFuture<?> answer) {}

  ExpiryQueue(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * An answer that fails when its time is over. The store's own answer is not touched.
   *
   * @param askedNanos when the store was asked
   */
  <T> CompletableFuture<T> bound(CompletableFuture<T> answer, long askedNanos) {
    if (answer.isDone()) {
      return answer;
    }
    CompletableFuture<T> bounded = answer.copy();
    waiting.add(new PendingAnswer(askedNanos + timeout.toNanos(), bounded));
    startTiming();
    return bounded;
  }

  private void startTiming() {
    PendingAnswer head = waiting.peek();
    if (head != null && timing.compareAndSet(false, true)) {
      long wait = Math.max(0, head.endsNanos - System.nanoTime());
      Scheduler.after(Duration.ofNanos(wait), this::expire);
    }
  }

  /** Runs on the timer thread: only code of the guards continues from these answers. */
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
            + timeout.toMillis()
            + " ms; permits may have been taken");
  }
}
