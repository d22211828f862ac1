package dev.weir.internal.schedule;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after another, in the order given, on threads of another executor. Safe for many
 * threads.
 *
 * <p>A task that blocks holds up only the tasks behind it.
 */
public final class SerialExecutor implements Executor {
  private static final int MAX_WAITING = 1000;

  private final Executor executor;
  private final int maxWaiting;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean running;

  private SerialExecutor(Executor executor, int maxWaiting) {
    this.executor = executor;
    this.maxWaiting = maxWaiting;
  }

  /** Bounds memory: beyond {@value #MAX_WAITING} waiting tasks, the oldest is dropped. */
  public static SerialExecutor droppingOldest(Executor executor) {
    return new SerialExecutor(executor, MAX_WAITING);
  }

  /** Runs every task; the caller bounds their number. */
  public static SerialExecutor keepingAll(Executor executor) {
    return new SerialExecutor(executor, Integer.MAX_VALUE);
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (waiting.size() >= maxWaiting) {
        waiting.remove();
      }
      waiting.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    executor.execute(this::runAll);
  }

  private void runAll() {
    for (Runnable task = next(); task != null; task = next()) {
      try {
        task.run();
      } catch (RuntimeException | Error failure) {
        executor.execute(this::runAll); // the other tasks run; the thread reports the failure
        throw failure;
      }
    }
  }

  private synchronized @Nullable Runnable next() {
    Runnable task = waiting.poll();
    running = task != null;
    return task;
  }
}
