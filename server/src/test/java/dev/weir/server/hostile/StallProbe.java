package dev.weir.server.hostile;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Notices when nothing runs in this process: because the machine gave it no time, or because its
 * own JVM stopped it. A thread that sleeps for a millisecond at a time counts by how much it
 * oversleeps.
 */
final class StallProbe implements AutoCloseable {
  private static final long PAUSE_NANOS = 1_000_000;

  private final AtomicLong stalledNanos = new AtomicLong();
  private final Thread thread = new Thread(this::run, "stall-probe");
  private volatile boolean stopped;

  StallProbe() {
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long last = System.nanoTime();
    while (!stopped) {
      LockSupport.parkNanos(PAUSE_NANOS);
      long now = System.nanoTime();
      stalledNanos.addAndGet(Math.max(0, now - last - PAUSE_NANOS));
      last = now;
    }
  }

  /** All stalls since the start. */
  long stalledNanos() {
    return stalledNanos.get();
  }

  @Override
  public void close() {
    stopped = true;
  }
}
