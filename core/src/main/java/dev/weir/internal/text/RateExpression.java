package dev.weir.internal.text;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.Window;
import dev.weir.internal.Check;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a limit, taken apart: {@code 5000 per day in Europe/Berlin}.
 *
 * @param zone null if none was named
 */
public record RateExpression(String text, long permits, LimitPeriod period, @Nullable ZoneId zone) {
  private static final String BLOCKED = "blocked";
  private static final Pattern SHAPE =
      Pattern.compile("(\\S+)\\s+per\\s+(\\S+)(?:\\s+in\\s+(\\S+))?");

  /** What people write instead: 100/min, 5 per 10 minutes, 3 every hour. */
  private static final Pattern ALMOST =
      Pattern.compile(
          "(\\d+)\\s*(?:/|per|a|an|each|every)\\s*(\\d*)\\s*"
              + "(ms|s|m|h|d|sec|min|second|minute|hour|day|week|month)s?");

  /**
   * @param otherWords what may stand in the place of a rate, for messages
   * @throws IllegalArgumentException with what was expected and what was found
   */
  public static RateExpression parse(String text, List<String> otherWords) {
    Matcher shape = SHAPE.matcher(text);
    if (!shape.matches()) {
      throw new IllegalArgumentException(
          "limit must be \"<permits> per <duration>\""
              + or(otherWords)
              + ", was \""
              + MessageText.shown(text)
              + '"'
              + suggestion(text, otherWords));
    }
    long permits = permits(shape.group(1), text, otherWords);
    LimitPeriod period = LimitPeriod.parse(shape.group(2));
    String zone = shape.group(3);
    if (zone != null && period.unit() == null) {
      throw new IllegalArgumentException(
          "limit must be per day, week or month to have a time zone, was \""
              + MessageText.shown(text)
              + '"');
    }
    return new RateExpression(text, permits, period, zone == null ? null : zone(zone));
  }

  private static long permits(String digits, String text, List<String> otherWords) {
    if (digits.matches("\\d{1,16}")) {
      long permits = Long.parseLong(digits);
      if (permits >= 1 && permits <= Check.MAX_PERMITS) {
        return permits;
      }
    }
    throw new IllegalArgumentException(
        "limit must have from 1 to "
            + Check.MAX_PERMITS
            + " permits, was \""
            + MessageText.shown(text)
            + '"'
            + (digits.equals("0") && otherWords.contains(BLOCKED)
                ? "; write blocked to let nothing pass"
                : ""));
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException unknown) {
      throw new IllegalArgumentException(
          "limit must name a time zone such as Europe/Berlin, was \""
              + MessageText.shown(name)
              + '"'
              + MessageText.didYouMean(name, ZoneId.getAvailableZoneIds()),
          unknown);
    }
  }

  private static String suggestion(String text, List<String> otherWords) {
    Matcher almost = ALMOST.matcher(text);
    if (!almost.matches()) {
      return MessageText.didYouMean(text, otherWords);
    }
    String unit = almost.group(3);
    String count = almost.group(2);
    boolean word = count.isEmpty() && unit.length() > 3;
    String period = word ? unit : (count.isEmpty() ? "1" : count) + shortUnit(unit);
    return "; did you mean \"" + almost.group(1) + " per " + period + "\"?";
  }

  private static String or(List<String> otherWords) {
    return otherWords.isEmpty() ? "" : ", " + String.join(" or ", otherWords);
  }

  private static String shortUnit(String unit) {
    return unit.equals("ms") ? unit : unit.substring(0, 1);
  }

  /**
   * The limit itself.
   *
   * @param burst the capacity of a token bucket; null for as many as the permits
   * @throws IllegalArgumentException if this rate cannot be kept by the algorithm
   */
  public Limit limit(Algorithm algorithm, @Nullable Long burst) {
    if (isCalendar() && algorithm != Algorithm.FIXED_WINDOW) {
      throw new IllegalArgumentException(
          "limit \""
              + MessageText.shown(text)
              + "\" needs algorithm: fixed-window, was "
              + KebabCase.of(algorithm)
              + "; months and time zones are calendar windows");
    }
    return switch (algorithm) {
      case TOKEN_BUCKET ->
          new Limit.TokenBucket(burst == null ? permits : burst, permits, length());
      case FIXED_WINDOW -> new Limit.FixedWindow(permits, window());
      case SLIDING_WINDOW -> Limit.slidingWindow(permits, length());
      case SLIDING_LOG -> Limit.slidingLog(permits, length());
      case IN_FLIGHT ->
          throw new IllegalArgumentException(
              "limit \""
                  + MessageText.shown(text)
                  + "\" needs another algorithm than in-flight; write \"<slots> at once\"");
    };
  }

  private boolean isCalendar() {
    return zone != null || period.length() == null;
  }

  private Duration length() {
    return Objects.requireNonNull(period.length());
  }

  private Window window() {
    if (!isCalendar()) {
      return new Window.Aligned(length());
    }
    return new Window.Calendar(
        Objects.requireNonNull(period.unit()), zone == null ? ZoneOffset.UTC : zone);
  }
}
