package dev.weir.internal.guard;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** One daemon thread for the deadlines and probes of all guards of this process. */
final class Timer {
  private static final ScheduledThreadPoolExecutor THREAD = create();

  private Timer() {}

  private static ScheduledThreadPoolExecutor create() {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "weir-timer");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    return executor;
  }

  static void after(Duration delay, Runnable task) {
    THREAD.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }
}
