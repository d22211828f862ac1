package dev.weir.http;

import dev.weir.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/** What the number in {@code X-RateLimit-Reset} means; providers never agreed. */
interface LegacyReset {
  long seconds(Duration wait);

  /** Seconds from now. */
  static LegacyReset delta() {
    return WholeSeconds::roundedUp;
  }

  /** Seconds since 1970. */
  static LegacyReset epoch(TimeSource time) {
    return wait ->
        WholeSeconds.roundedUp(Duration.of(time.nowMicros(), ChronoUnit.MICROS).plus(wait));
  }
}
