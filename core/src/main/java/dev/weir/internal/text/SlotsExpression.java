package dev.weir.internal.text;

import dev.weir.Limit;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a limit on requests in flight, taken apart: {@code 10 at once}.
 *
 * @param slots how many there are
 */
public record SlotsExpression(long slots) {
  /** How long slots are held without being renewed, unless a file says otherwise. */
  public static final Duration USUAL_HOLD = Duration.ofSeconds(30);

  private static final Pattern SHAPE = Pattern.compile("(\\S+)\\s+at\\s+once");

  /** Whether a text is meant to be one, right or wrong. */
  public static boolean isOne(String text) {
    return SHAPE.matcher(text).matches();
  }

  /**
   * @throws IllegalArgumentException with what was expected and what was found
   */
  public static SlotsExpression parse(String text) {
    Matcher shape = SHAPE.matcher(text);
    if (shape.matches() && shape.group(1).matches("\\d{1,9}")) {
      long slots = Long.parseLong(shape.group(1));
      if (slots >= 1 && slots <= Limit.RequestsInFlight.MAX_SLOTS) {
        return new SlotsExpression(slots);
      }
    }
    throw new IllegalArgumentException(
        "limit must have from 1 to "
            + Limit.RequestsInFlight.MAX_SLOTS
            + " slots at once, was \""
            + MessageText.shown(text)
            + '"');
  }

  public Limit limit(Duration hold) {
    return Limit.inFlight(slots, hold);
  }
}
