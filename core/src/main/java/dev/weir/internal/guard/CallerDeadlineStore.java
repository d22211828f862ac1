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
 * Answers callers who cannot wait as long as the deadline of the pipeline. Safe for many threads.
 *
 * <p>It stands in front of the circuit breaker, so that an impatient caller is answered by the
 * failure policies, but does not make a healthy store look silent: the breaker sees what the store
 * answers in its own time. Times are cut to whole milliseconds, so that callers with the same
 * deadline share one queue.
 */
public final class CallerDeadlineStore extends GuardStage {
  private static final ThreadLocal<@Nullable Duration> CALLERS = new ThreadLocal<>();

  private final long deadlineMillis;
  private final ConcurrentMap<Long, ExpiryQueue> byMillis = new ConcurrentHashMap<>();

  /**
   * @param deadline of all calls; only shorter ones of callers matter, which bounds the number of
   *     queues
   */
  CallerDeadlineStore(LimitStore store, Duration deadline) {
    super(store);
    this.deadlineMillis = deadline.toMillis();
  }

  /** Asks a question whose caller waits no longer than this. */
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
