package dev.weir.redis.internal.connection;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The one timer of a store: timeouts of calls, pauses before another attempt, keep-alive. Safe for
 * many threads; users' continuations never run on its thread.
 */
public final class RetryTimer implements AutoCloseable {
  /** How late a timeout may be; the client's own timer would add up to 100 ms. */
  private static final int TICK_MILLIS = 10;

  private static final ThreadFactory THREADS =
      new DefaultThreadFactory("weir-redis-timeouts", true);

  private final Timer timer = new HashedWheelTimer(THREADS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  private final AtomicBoolean closed = new AtomicBoolean();

  /** The timer to share with the client, which needs one as well. */
  Timer timer() {
    return timer;
  }

  /** Runs a short task after a pause, on the thread of the timer; never after {@link #close}. */
  public void after(Duration pause, Runnable task) {
    schedule(pause, task);
  }

  private Timeout schedule(Duration pause, Runnable task) {
    return timer.newTimeout(
        due -> {
          if (!closed.get()) {
            task.run();
          }
        },
        Math.max(1, pause.toNanos()),
        TimeUnit.NANOSECONDS);
  }

  /**
   * Fails the future if it does not complete in time. The future is that of the command itself, so
   * a command that still waits in the client's queue is not sent any more.
   *
   * @param executor completes the future after the timeout, and so runs its continuations
   */
  <T> CompletableFuture<T> bound(CompletableFuture<T> future, Duration time, Executor executor) {
    if (!future.isDone() && !closed.get()) {
      Timeout timeout =
          schedule(
              time,
              () -> executor.execute(() -> future.completeExceptionally(new TimeoutException())));
      future.whenComplete((done, failure) -> timeout.cancel());
    }
    return future;
  }

  /** Completes after a pause, on a thread of the executor. */
  public CompletableFuture<Void> pause(Duration time, Executor executor) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    after(time, () -> executor.execute(() -> over.complete(null)));
    return over;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      timer.stop();
    }
  }
}
