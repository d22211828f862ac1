package dev.weir.internal.schedule;

import dev.weir.internal.Check;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task again and again, with the same pause after each run, until it is closed. The timer
 * only hands the task over: it runs on the given executor, and may block there. A run that fails is
 * logged and does not end the repetition. Safe for many threads.
 */
public final class RepeatingTask implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RepeatingTask.class.getName());

  private final String name;
  private final Executor executor;
  private final Runnable task;
  private Duration pause = Duration.ZERO;
  private @Nullable Future<?> next;
  private @Nullable Thread running;
  private boolean closed;

  /**
   * @param name what the task does, for the log
   */
  public RepeatingTask(String name, Executor executor, Runnable task) {
    this.name = name;
    this.executor = executor;
    this.task = task;
  }

  /** Runs the task for the first time after one interval. To be called once. */
  public synchronized RepeatingTask start(Duration interval) {
    pause = Check.positive("interval", interval);
    runLater();
    return this;
  }

  private void runLater() {
    if (!closed) {
      next = Scheduler.after(pause, executor, this::run);
    }
  }

  private void run() {
    if (!begin()) {
      return;
    }
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      LOG.log(Level.ERROR, name + " failed", failure);
    } finally {
      end();
    }
  }

  private synchronized boolean begin() {
    running = closed ? null : Thread.currentThread();
    return !closed;
  }

  private synchronized void end() {
    running = null;
    if (closed) {
      Thread.interrupted(); // the thread belongs to the executor and goes on to other tasks
    }
    runLater();
  }

  /** Starts no further run, and interrupts the one under way; does not wait for its end. */
  @Override
  public synchronized void close() {
    closed = true;
    if (next != null) {
      next.cancel(false);
    }
    if (running != null && running != Thread.currentThread()) {
      running.interrupt();
    }
  }
}
