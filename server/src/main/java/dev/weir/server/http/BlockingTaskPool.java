package dev.weir.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks that would block an event loop for too long, such as reading, writing and explaining
 * thousands of rules, on a few threads that all event loops share. Used by one event loop.
 */
public final class BlockingTaskPool {
  private static final int THREADS = 2;
  private static final int MAX_WAITING = 8;

  private final WorkerExecutor threads;
  private final AtomicInteger waiting = new AtomicInteger();
  private final int most;

  private BlockingTaskPool(WorkerExecutor threads, int most) {
    this.threads = threads;
    this.most = most;
  }

  /** For administrators: any number of tasks may wait. */
  public static BlockingTaskPool unbounded(Vertx vertx) {
    return new BlockingTaskPool(
        vertx.createSharedWorkerExecutor("weir-slow-work", THREADS), Integer.MAX_VALUE);
  }

  /** The same threads for all clients: few tasks may wait, further ones are shed. */
  public BlockingTaskPool bounded() {
    return new BlockingTaskPool(threads, MAX_WAITING);
  }

  /** Fails with {@link OverloadedException} if too much is waiting. */
  public <T> CompletionStage<T> run(Callable<T> work) {
    if (waiting.incrementAndGet() > most) {
      waiting.decrementAndGet();
      return CompletableFuture.failedFuture(new OverloadedException());
    }
    return threads
        .executeBlocking(work, /* ordered= */ false)
        .onComplete(done -> waiting.decrementAndGet())
        .toCompletionStage();
  }

  /** Too much is waiting. Has no stack trace, because clients can cause many of these. */
  static final class OverloadedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    OverloadedException() {
      super("too much slow work is waiting", null, false, false);
    }
  }
}
