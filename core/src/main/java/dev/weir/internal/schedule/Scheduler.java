package dev.weir.internal.schedule;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The one timer thread of this process, a daemon. Safe for many threads.
 *
 * <p>A task that runs on it must be short and must be our own code, because every deadline of the
 * process waits behind it. Everything else names the executor that runs it: {@link Workers} for
 * calls to a store, {@link Callbacks} for code of users.
 */
public final class Scheduler {
  private static final System.Logger LOG = System.getLogger(Scheduler.class.getName());
  private static final String NAME = "weir-scheduler";
  private static final ScheduledThreadPoolExecutor TIMER = create();

  private Scheduler() {}

  private static ScheduledThreadPoolExecutor create() {
    ScheduledThreadPoolExecutor timer =
        new ScheduledThreadPoolExecutor(
            1, task -> DaemonThreads.create(NAME, TimerThread::new, task));
    timer.setRemoveOnCancelPolicy(true);
    return timer;
  }

  /** Runs a short task of our own on the timer thread itself. */
  public static Future<?> after(Duration delay, Runnable task) {
    return TIMER.schedule(
        () -> run(task), TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
  }

  /** Hands a task over to an executor when the time has come. */
  public static Future<?> after(Duration delay, Executor executor, Runnable task) {
    return after(delay, () -> executor.execute(task));
  }

  /** Whether the current thread is the timer, which must not run code of users. */
  public static boolean isCurrentThread() {
    return Thread.currentThread() instanceof TimerThread;
  }

  /** Logs a failure, because the executor would swallow the exception. */
  private static void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error failure) {
      LOG.log(Level.ERROR, "a scheduled task failed", failure);
    }
  }

  private static final class TimerThread extends Thread {
    TimerThread(Runnable task, String name) {
      super(task, name);
    }
  }
}
