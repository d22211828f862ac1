package dev.weir.redis.internal.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Notices that a connection has stopped answering: calls time out, and nothing has been answered
 * since the first of them. Safe for many threads.
 */
public final class UnresponsiveConnectionDetector {
  private static final Duration LONGEST = Duration.ofSeconds(3);

  private final AtomicInteger timeouts = new AtomicInteger();

  /** When the first call timed out that nothing was answered since; meaningless if none did. */
  private volatile long sinceNanos;

  public void answered() {
    if (timeouts.get() != 0) {
      timeouts.set(0);
    }
  }

  /** Notes a call that was not answered in time; whether another connection should be tried. */
  public boolean timedOut() {
    long now = System.nanoTime();
    if (timeouts.getAndIncrement() == 0) {
      sinceNanos = now;
    }
    return now - sinceNanos > LONGEST.toNanos();
  }
}
