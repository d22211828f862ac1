package dev.weir.internal.guard;

/**
 * The rate of requests for one key on this instance, measured over the last half to whole period.
 * Not safe for many threads.
 */
final class RequestRate {
  private final long halfNanos;
  private long halfBegan;
  private long previous;
  private long current;
  private long unreported;
  private long last;

  /**
   * @param periodNanos the time to measure over
   */
  RequestRate(long periodNanos, long nowNanos) {
    this.halfNanos = periodNanos / 2;
    this.halfBegan = nowNanos;
    this.last = nowNanos;
  }

  void add(long nowNanos) {
    roll(nowNanos);
    current++;
    unreported++;
    last = nowNanos;
  }

  /** Requests per second. */
  double perSecond(long nowNanos) {
    roll(nowNanos);
    return (previous + current) * 1e9 / (halfNanos + nowNanos - halfBegan);
  }

  /** Requests since the last call of this method. */
  long takeUnreported() {
    long count = unreported;
    unreported = 0;
    return count;
  }

  long nanosSinceLast(long nowNanos) {
    return nowNanos - last;
  }

  private void roll(long nowNanos) {
    long halves = (nowNanos - halfBegan) / halfNanos;
    if (halves > 0) {
      previous = halves == 1 ? current : 0;
      current = 0;
      halfBegan += halves * halfNanos;
    }
  }
}
