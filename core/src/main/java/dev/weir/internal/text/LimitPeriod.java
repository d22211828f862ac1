package dev.weir.internal.text;

import dev.weir.CalendarUnit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The duration of a limit: a length, a calendar unit, or one that can be either.
 *
 * @param length null for a month, which has no one length
 * @param unit null for a length that is no calendar unit
 */
public record LimitPeriod(@Nullable Duration length, @Nullable CalendarUnit unit) {
  private static final Map<String, LimitPeriod> WORDS = new LinkedHashMap<>();

  static {
    WORDS.put("second", new LimitPeriod(Duration.ofSeconds(1), null));
    WORDS.put("minute", new LimitPeriod(Duration.ofMinutes(1), null));
    WORDS.put("hour", new LimitPeriod(Duration.ofHours(1), null));
    WORDS.put("day", new LimitPeriod(Duration.ofDays(1), CalendarUnit.DAY));
    WORDS.put("week", new LimitPeriod(Duration.ofDays(7), CalendarUnit.WEEK));
    WORDS.put("month", new LimitPeriod(null, CalendarUnit.MONTH));
  }

  private static final List<ChronoUnit> UNITS =
      List.of(
          ChronoUnit.DAYS,
          ChronoUnit.HOURS,
          ChronoUnit.MINUTES,
          ChronoUnit.SECONDS,
          ChronoUnit.MILLIS,
          ChronoUnit.MICROS);

  /** Nine digits of anything stay far below the range of a Duration. */
  private static final Pattern PARTS =
      Pattern.compile(
          "(?:(\\d{1,9})d)?(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?"
              + "(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?(?:(\\d{1,9})us)?");

  /** What people write instead: 5min, 30secs, 2hours. */
  private static final Pattern ALMOST =
      Pattern.compile("(\\d+)(sec|second|min|minute|hr|hour|day)s?");

  /**
   * @throws IllegalArgumentException with what was expected
   */
  public static LimitPeriod parse(String text) {
    LimitPeriod word = WORDS.get(text);
    return word == null ? new LimitPeriod(parts(text), null) : word;
  }

  /** As in a rate: minute, 10s, 1h30m. */
  public static String text(Duration length) {
    return WORDS.entrySet().stream()
        .filter(word -> length.equals(word.getValue().length()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseGet(() -> HumanDuration.of(length));
  }

  /** The duration that was probably meant, as the end of a message; empty if there is none. */
  public static String didYouMean(String text) {
    Matcher almost = ALMOST.matcher(text);
    return almost.matches()
        ? "; did you mean \"" + almost.group(1) + almost.group(2).charAt(0) + "\"?"
        : MessageText.didYouMean(text, WORDS.keySet());
  }

  private static Duration parts(String text) {
    Matcher parts = PARTS.matcher(text);
    if (text.isEmpty() || !parts.matches()) {
      throw new IllegalArgumentException(
          "limit must be per "
              + String.join(", ", WORDS.keySet())
              + ", or per a duration such as 250ms, 30s, 5m or 1h30m, was \""
              + MessageText.shown(text)
              + '"'
              + didYouMean(text));
    }
    Duration sum = Duration.ZERO;
    for (int i = 0; i < UNITS.size(); i++) {
      String digits = parts.group(i + 1);
      if (digits != null) {
        sum = sum.plus(Long.parseLong(digits), UNITS.get(i));
      }
    }
    return sum;
  }
}
