package dev.weir.redis.internal.script;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.connection.RetryTimer;
import dev.weir.redis.internal.protocol.Failures;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;

/**
 * Asks again when a connection was lost before the answer arrived. Only for calls that take once
 * however often they are sent: questions with a request id, and settlements. Nobody else can know
 * whether the script has run.
 */
public final class LostAnswerRetry {
  /** Between two tries, while a connection is made. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final RetryTimer timer;
  private final Duration timeout;

  /**
   * @param timeout for all tries together
   */
  public LostAnswerRetry(RetryTimer timer, Duration timeout) {
    this.timer = timer;
    this.timeout = timeout;
  }

  /**
   * Asks a question that has a request id. An answer that was lost is no repetition for the caller
   * who never got it.
   */
  public CompletionStage<Verdicts> ask(
      Question question, Supplier<CompletionStage<Verdicts>> call) {
    return call(call)
        .thenApply(
            answer ->
                answer.allowed() && answer.repeatOf().equals(question.holder())
                    ? new Verdicts(true, answer.each())
                    : answer);
  }

  /** Makes a call, and makes it again if its answer was lost. */
  public <T> CompletionStage<T> call(Supplier<CompletionStage<T>> call) {
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    return call.get()
        .exceptionallyCompose(
            failure ->
                isLost(failure) && isTimeLeft(deadlineNanos)
                    ? again(call, deadlineNanos)
                    : CompletableFuture.failedStage(failure));
  }

  private <T> CompletionStage<T> again(Supplier<CompletionStage<T>> call, long deadlineNanos) {
    return timer
        .pause(PAUSE, ForkJoinPool.commonPool())
        .thenCompose(over -> call.get())
        .exceptionallyCompose(
            failure ->
                isOfConnection(failure) && isTimeLeft(deadlineNanos)
                    ? again(call, deadlineNanos)
                    : CompletableFuture.failedStage(failure));
  }

  private static boolean isTimeLeft(long deadlineNanos) {
    return deadlineNanos - System.nanoTime() > PAUSE.toNanos();
  }

  /** Whether a call was sent, and its connection ended before the answer. */
  private static boolean isLost(Throwable failure) {
    Throwable cause = Failures.unwrap(failure).getCause();
    return isOfConnection(failure) && cause != null && !Failures.isTimeout(cause);
  }

  /** Also while there is none yet. */
  private static boolean isOfConnection(Throwable failure) {
    return Failures.unwrap(failure) instanceof StoreUnavailableException unavailable
        && !unavailable.isRefusal();
  }
}
