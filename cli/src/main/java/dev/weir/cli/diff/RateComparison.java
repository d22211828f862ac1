package dev.weir.cli.diff;

import dev.weir.internal.text.RateExpression;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a rate compares with another, in words. */
final class RateComparison {
  private RateComparison() {}

  /** {@code (2 times as much)}; nothing if one of them is no rate. */
  static String of(String was, String is) {
    Double before = perSecond(was);
    Double after = perSecond(is);
    if (before == null || after == null) {
      return "";
    }
    if (before.equals(after)) {
      return " (the same rate)";
    }
    String factor = String.format(Locale.ROOT, "%.3f", after / before).replaceFirst("\\.?0+$", "");
    return " (" + factor + " times as much)";
  }

  private static @Nullable Double perSecond(String text) {
    try {
      RateExpression rate = RateExpression.parse(text, List.of());
      Duration length = rate.period().length();
      return length == null || length.isZero() ? null : rate.permits() / (length.toNanos() / 1e9);
    } catch (IllegalArgumentException noRate) {
      return null;
    }
  }
}
