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
 * Repeats a call if its connection was lost before the answer arrived. Only for calls that count
 * once however often they are sent: questions with a request id, and settlements. For other calls
 * it is unknown whether the script has run.
 */
public final class LostAnswerRetry {
  /** The pause between two tries, in which a new connection can be made. */
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final RetryTimer timer;
  private final Duration timeout;

  /**
   * @param timeout of all tries together
   */
  public LostAnswerRetry(RetryTimer timer, Duration timeout) {
    this.timer = timer;
    this.timeout = timeout;
  }

  /**
   * Asks a question that has a request id. If the first answer was lost, the repeated one is not
   * marked as repeated, because it is the first that the caller gets.
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

  /** Whether the connection failed, or there was none. */
  private static boolean isOfConnection(Throwable failure) {
    return Failures.unwrap(failure) instanceof StoreUnavailableException unavailable
        && !unavailable.isRefusal();
  }
}
