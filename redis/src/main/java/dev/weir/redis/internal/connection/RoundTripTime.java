package dev.weir.redis.internal.connection;

import java.time.Duration;

/**
 * The round trip time of a connection: the shortest of the last half minute, which measures the
 * network and not the load of the server. Safe for many threads; a sample lost in a race does not
 * matter.
 */
public final class RoundTripTime {
  private static final long WINDOW_NANOS = Duration.ofSeconds(30).toNanos();

  private volatile long previousNanos = Long.MAX_VALUE;
  private volatile long currentNanos = Long.MAX_VALUE;
  private volatile long windowStartNanos;

  RoundTripTime(long nowNanos) {
    windowStartNanos = nowNanos;
  }

  void record(long nanos, long nowNanos) {
    if (nowNanos - windowStartNanos >= WINDOW_NANOS) {
      windowStartNanos = nowNanos;
      previousNanos = currentNanos;
      currentNanos = nanos;
    } else if (nanos < currentNanos) {
      currentNanos = nanos;
    }
  }

  /** The round trip time; 0 before the first measurement. */
  public long nanos() {
    long shortest = Math.min(previousNanos, currentNanos);
    return shortest == Long.MAX_VALUE ? 0 : shortest;
  }
}
