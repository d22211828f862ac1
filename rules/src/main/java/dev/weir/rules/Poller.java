package dev.weir.rules;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A thread that checks for new rules at an interval, until it is closed. */
final class Poller implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Poller.class.getName());

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(1, Poller::thread);

  void start(Duration interval, Runnable poll) {
    long nanos = interval.toNanos();
    executor.scheduleWithFixedDelay(() -> safely(poll), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  /** A listener that throws must not end the polling. */
  private static void safely(Runnable poll) {
    try {
      poll.run();
    } catch (RuntimeException failed) {
      LOG.log(Level.ERROR, "looking for new rules failed", failed);
    }
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "weir-rules");
    thread.setDaemon(true);
    return thread;
  }
}
