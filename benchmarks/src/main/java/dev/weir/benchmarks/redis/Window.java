package dev.weir.benchmarks.redis;

import java.time.Duration;

/**
 * The time in which decisions count, on the clock of {@link System#nanoTime}, after a while of
 * warming up. What is not answered by its end does not count.
 */
record Window(long fromNanos, long untilNanos) {
  static Window after(Duration warmup, Duration length) {
    long from = System.nanoTime() + warmup.toNanos();
    return new Window(from, from + length.toNanos());
  }

  boolean isOver(long nanos) {
    return nanos - untilNanos >= 0;
  }

  boolean holds(long nanos) {
    return nanos - fromNanos >= 0 && !isOver(nanos);
  }

  double seconds() {
    return (untilNanos - fromNanos) / 1e9;
  }
}
