package dev.weir.httpclient;

import dev.weir.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** How fast one server may be sent requests, as its latest answers say. Safe for many threads. */
final class Pace {
  private final TimeSource time;
  private long lastStartMicros = Long.MIN_VALUE / 2;
  private long spacingMicros;
  private long pausedUntilMicros;

  Pace(TimeSource time) {
    this.time = time;
  }

  /**
   * Takes the next place in the queue.
   *
   * @return how long to wait for it; if that is longer than {@code most}, no place is taken
   */
  synchronized Duration reserve(Duration most) {
    long now = time.nowMicros();
    long start = Math.max(now, Math.max(pausedUntilMicros, lastStartMicros + spacingMicros));
    Duration wait = Duration.of(start - now, ChronoUnit.MICROS);
    if (wait.compareTo(most) <= 0) {
      lastStartMicros = start;
    }
    return wait;
  }

  /** How long to send nothing, by an answer that may have come after a place was taken. */
  synchronized Duration pause() {
    return Duration.of(Math.max(0, pausedUntilMicros - time.nowMicros()), ChronoUnit.MICROS);
  }

  synchronized void learn(AnswerLimits limits) {
    pausedUntilMicros = Math.max(pausedUntilMicros, sum(time.nowMicros(), limits.pause()));
    if (!limits.items().isEmpty()) {
      spacingMicros = sum(0, limits.spacing());
    }
  }

  /** Whether there is nothing to remember. */
  synchronized boolean isIdle() {
    long now = time.nowMicros();
    return pausedUntilMicros <= now && lastStartMicros + spacingMicros <= now;
  }

  /** Longer waits count as a year, which cannot overflow. */
  private static long sum(long micros, Duration added) {
    Duration bounded = added.compareTo(Duration.ofDays(365)) > 0 ? Duration.ofDays(365) : added;
    return micros + bounded.toNanos() / 1000;
  }
}
