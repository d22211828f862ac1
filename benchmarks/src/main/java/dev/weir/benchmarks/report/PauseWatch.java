package dev.weir.benchmarks.report;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A thread that only sleeps, a millisecond at a time, and notes how much too late it wakes up.
 * While it is late, so is everything else: the machine stood still, or all its processors were
 * busy.
 */
public final class PauseWatch implements AutoCloseable {
  private static final long SLEEP_NANOS = 1_000_000;

  private final LongSupplier nanoTime;
  private final Runnable sleep;
  private volatile long longestNanos;
  private volatile boolean isClosed;

  PauseWatch(LongSupplier nanoTime, Runnable sleep) {
    this.nanoTime = nanoTime;
    this.sleep = sleep;
  }

  public static PauseWatch start() {
    PauseWatch watch = new PauseWatch(System::nanoTime, () -> LockSupport.parkNanos(SLEEP_NANOS));
    Thread thread = new Thread(watch::run, "pause-watch");
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  private void run() {
    while (!isClosed) {
      sleepOnce();
    }
  }

  void sleepOnce() {
    long beforeNanos = nanoTime.getAsLong();
    sleep.run();
    long late = nanoTime.getAsLong() - beforeNanos - SLEEP_NANOS;
    if (late > longestNanos) {
      longestNanos = late; // no other thread writes it
    }
  }

  /** The longest pause so far. */
  public double longestMillis() {
    return longestNanos / 1e6;
  }

  @Override
  public void close() {
    isClosed = true;
  }
}
