package dev.weir.internal.text;

import dev.weir.Limit;
import dev.weir.Window;
import java.time.ZoneOffset;
import java.util.Locale;

/**
 * A limit as rule files write it: {@code 100 per minute}, {@code 5000 per month in Europe/Berlin},
 * {@code 10 at once}. The burst of a token bucket is a setting of its own there, and not included.
 */
public final class LimitText {
  private LimitText() {}

  public static String of(Limit limit) {
    return of(limit.permits(), limit);
  }

  /**
   * The same limit with another number.
   *
   * @param permits instead of those of the limit
   */
  public static String of(long permits, Limit limit) {
    return permits
        + switch (limit.algorithm()) {
          case IN_FLIGHT -> " at once";
          case FIXED_WINDOW -> " per " + window(((Limit.FixedWindow) limit).window());
          case TOKEN_BUCKET, SLIDING_WINDOW, SLIDING_LOG ->
              " per " + LimitPeriod.text(limit.period());
        };
  }

  private static String window(Window window) {
    return window instanceof Window.Calendar calendar
        ? calendar(calendar)
        : LimitPeriod.text(window.length());
  }

  /** A month without a zone is one of UTC; a day or a week without a zone is no calendar window. */
  private static String calendar(Window.Calendar window) {
    String unit = window.unit().name().toLowerCase(Locale.ROOT);
    boolean usual = unit.equals("month") && window.zone().equals(ZoneOffset.UTC);
    return usual ? unit : unit + " in " + window.zone();
  }
}
