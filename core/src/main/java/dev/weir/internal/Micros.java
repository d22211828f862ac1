package dev.weir.internal;

import java.time.Duration;

/** Converts between {@link Duration}, which users see, and the microseconds of the arithmetic. */
public final class Micros {
  /** A wait that never ends; larger than any wait the arithmetic can produce. */
  public static final long NEVER = Long.MAX_VALUE;

  private static final long PER_SECOND = 1_000_000;

  private Micros() {}

  /** Whole microseconds of a duration of at most 290,000 years, rounded up; more saturates. */
  public static long of(Duration duration) {
    if (duration.getSeconds() > Long.MAX_VALUE / PER_SECOND - 1) {
      return NEVER;
    }
    return duration.getSeconds() * PER_SECOND + (duration.getNano() + 999) / 1000;
  }

  public static Duration toDuration(long micros) {
    return Duration.ofSeconds(micros / PER_SECOND, micros % PER_SECOND * 1000);
  }
}
