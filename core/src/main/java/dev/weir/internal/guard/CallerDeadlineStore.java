package dev.weir.internal.guard;

import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls whose caller has a shorter deadline than the pipeline. Safe for many threads.
 *
 * <p>It stands in front of the circuit breaker. A caller with a short deadline is answered by the
 * failure policies, but its timeout does not count against a healthy store: the breaker still sees
 * the answer that the store gives later. Times are cut to whole milliseconds, so that callers with
 * the same deadline share one queue.
 */
public final class CallerDeadlineStore extends GuardStage {
  private static final ThreadLocal<@Nullable Duration> CALLERS = new ThreadLocal<>();

  private final long deadlineMillis;
  private final ConcurrentMap<Long, ExpiryQueue> byMillis = new ConcurrentHashMap<>();

  /**
   * @param deadline of the pipeline; only shorter deadlines of callers need a queue, which bounds
   *     the number of queues
   */
  CallerDeadlineStore(LimitStore store, Duration deadline) {
    super(store);
    this.deadlineMillis = deadline.toMillis();
  }

  /** Asks a question for a caller that waits at most this long. */
  public static <T> T within(Duration wait, Supplier<T> question) {
    Duration outer = CALLERS.get();
    CALLERS.set(wait);
    try {
      return question.get();
    } finally {
      CALLERS.set(outer);
    }
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    Duration wait = CALLERS.get();
    if (wait == null || wait.toMillis() >= deadlineMillis) {
      return store().decide(question);
    }
    long askedNanos = System.nanoTime();
    CompletableFuture<Verdicts> answer = store().decide(question).toCompletableFuture();
    long millis = Math.max(0, wait.toMillis());
    return byMillis
        .computeIfAbsent(millis, each -> new ExpiryQueue(Duration.ofMillis(each)))
        .bound(answer, askedNanos);
  }
}
