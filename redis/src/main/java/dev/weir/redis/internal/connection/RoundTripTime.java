package dev.weir.redis.internal.connection;

/**
 * How long the way to a server and back takes: the shortest time of the last some hundred calls.
 * The shortest, because it says how far away the server is, however busy it is. Safe for many
 * threads; a sample lost in a race does not matter.
 */
public final class RoundTripTime {
  private static final int WINDOW = 256;

  private volatile long previousNanos = Long.MAX_VALUE;
  private volatile long currentNanos = Long.MAX_VALUE;
  private int samples;

  public void record(long nanos) {
    if (nanos < currentNanos) {
      currentNanos = nanos;
    }
    if (++samples >= WINDOW) {
      samples = 0;
      previousNanos = currentNanos;
      currentNanos = nanos;
    }
  }

  /** 0 as long as nothing was measured. */
  public long nanos() {
    long shortest = Math.min(previousNanos, currentNanos);
    return shortest == Long.MAX_VALUE ? 0 : shortest;
  }
}
