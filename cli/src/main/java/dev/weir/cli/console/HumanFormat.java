package dev.weir.cli.console;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Numbers, times and waits for people. */
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

  /** In UTC; with seconds if columns of a table are closer than a minute. */
  public static String time(long micros, long stepMicros) {
    DateTimeFormatter format = stepMicros < 60_000_000 ? SECOND : MINUTE;
    return format.format(Instant.ofEpochSecond(Math.floorDiv(micros, 1_000_000L)));
  }

  /** Rounded up: 1.5 s, 12 min 3 s, 5 h 2 min, 3 days 4 h. */
  public static String wait(Duration time) {
    long millis = time.plusNanos(999_999).toMillis();
    if (millis < 1000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return millis % 1000 == 0 ? millis / 1000 + " s" : millis / 1000.0 + " s";
    }
    long seconds = (millis + 999) / 1000;
    if (seconds < 3600) {
      return pair(seconds, 60, " min", " s");
    }
    long minutes = (seconds + 59) / 60;
    return minutes < 48 * 60
        ? pair(minutes, 60, " h", " min")
        : pair((minutes + 59) / 60, 24, " days", " h");
  }

  private static String pair(long small, int each, String largeUnit, String smallUnit) {
    String large = small / each + largeUnit;
    return small % each == 0 ? large : large + " " + small % each + smallUnit;
  }
}
