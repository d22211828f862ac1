package dev.weir.internal.schedule;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one after another, in the order given, on threads of another executor. Safe for many
 * threads.
 *
 * <p>A task that blocks holds up only the tasks behind it. Memory is bounded: beyond {@value
 * #MAX_WAITING} waiting tasks, the oldest is dropped.
 */
public final class SerialExecutor implements Executor {
  private static final int MAX_WAITING = 1000;

  private final Executor executor;
  private final Queue<Runnable> waiting = new ArrayDeque<>();
  private boolean running;

  public SerialExecutor(Executor executor) {
    this.executor = executor;
  }

  @Override
  public void execute(Runnable task) {
    synchronized (this) {
      if (waiting.size() >= MAX_WAITING) {
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
        executor.execute(this::runAll); // the rest goes on; the thread reports the failure
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
