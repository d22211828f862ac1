package dev.weir.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers, times and spans for people. */
public final class HumanFormat {
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private HumanFormat() {}

  /** 1,234,567. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A part of a whole: 0.4 %, 12.0 %. */
  public static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100.0 * part / whole);
  }

  /** As in a rule file: minute, 10s, 1h30m. */
  public static String period(Duration period) {
    return switch (period.toString()) {
      case "PT1S" -> "second";
      case "PT1M" -> "minute";
      case "PT1H" -> "hour";
      case "PT24H" -> "day";
      case "PT168H" -> "week";
      default -> span(period);
    };
  }

  private static String span(Duration period) {
    return period.toMillisPart() != 0 || period.isZero()
        ? period.toMillis() + "ms"
        : period.toString().substring(2).toLowerCase(Locale.ROOT);
  }

  /** In UTC; with seconds if columns of a table are closer than a minute. */
  public static String time(long micros, long stepMicros) {
    DateTimeFormatter format = stepMicros < 60_000_000 ? SECOND : MINUTE;
    return format.format(Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L)));
  }
}
