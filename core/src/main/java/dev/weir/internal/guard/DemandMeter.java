package dev.weir.internal.guard;

/**
 * How often one key is asked for on this instance, measured over the last half to whole period. Not
 * safe for many threads.
 */
final class DemandMeter {
  private final long slotNanos;
  private long slotBegan;
  private long previous;
  private long current;
  private long unreported;
  private long last;

  /**
   * @param periodNanos the time to measure over
   */
  DemandMeter(long periodNanos, long nowNanos) {
    this.slotNanos = periodNanos / 2;
    this.slotBegan = nowNanos;
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
    return (previous + current) * 1e9 / (slotNanos + nowNanos - slotBegan);
  }

  /** Requests since this was called last. */
  long takeUnreported() {
    long count = unreported;
    unreported = 0;
    return count;
  }

  long nanosSinceLast(long nowNanos) {
    return nowNanos - last;
  }

  private void roll(long nowNanos) {
    long slots = (nowNanos - slotBegan) / slotNanos;
    if (slots > 0) {
      previous = slots == 1 ? current : 0;
      current = 0;
      slotBegan += slots * slotNanos;
    }
  }
}
