package dev.weir.rules;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * The units of Envoy's rate-limit protocol, whose numbers are those of the protocol. A month is 30
 * days and a year 365, as in its reference service.
 */
public enum RateUnit {
  /** A window that no unit expresses. */
  UNKNOWN(0, Duration.ZERO),
  SECOND(1, Duration.ofSeconds(1)),
  MINUTE(2, Duration.ofMinutes(1)),
  HOUR(3, Duration.ofHours(1)),
  DAY(4, Duration.ofDays(1)),
  MONTH(5, Duration.ofDays(30)),
  YEAR(6, Duration.ofDays(365)),
  WEEK(7, Duration.ofDays(7));

  private final int number;
  private final Duration length;

  RateUnit(int number, Duration length) {
    this.number = number;
    this.length = length;
  }

  /** The number in messages of the protocol. */
  public int number() {
    return number;
  }

  /** Zero if unknown. */
  public Duration length() {
    return length;
  }

  /** As rule files have it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The unit of this length; {@link #UNKNOWN} if there is none. */
  public static RateUnit of(Duration length) {
    for (RateUnit unit : values()) {
      if (unit.length.equals(length)) {
        return unit;
      }
    }
    return UNKNOWN;
  }

  /** The unit with this number; empty for {@link #UNKNOWN} and for numbers that are none. */
  public static Optional<RateUnit> of(int number) {
    for (RateUnit unit : values()) {
      if (unit.number == number && unit != UNKNOWN) {
        return Optional.of(unit);
      }
    }
    return Optional.empty();
  }
}
