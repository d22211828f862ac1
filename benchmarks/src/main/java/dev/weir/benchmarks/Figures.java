package dev.weir.benchmarks;

import java.util.Locale;

/** How numbers are written in the report. */
final class Figures {
  private Figures() {}

  /** Three digits are more than the machine repeats. */
  static String number(double value) {
    return String.format(Locale.ROOT, value < 99.95 ? "%.1f" : "%.0f", value);
  }

  static String whole(double value) {
    return String.valueOf(Math.round(value));
  }

  static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  static String withSpread(Spread spread) {
    return number(spread.median())
        + " ("
        + number(spread.least())
        + " to "
        + number(spread.most())
        + ")";
  }

  static String ratioWithSpread(Spread spread) {
    return ratio(spread.median())
        + " ("
        + ratio(spread.least())
        + " to "
        + ratio(spread.most())
        + ")";
  }
}
