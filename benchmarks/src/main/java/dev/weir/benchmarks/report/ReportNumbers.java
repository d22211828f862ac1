package dev.weir.benchmarks.report;

import java.util.Locale;

/** How numbers are written in the report. */
public final class ReportNumbers {
  private ReportNumbers() {}

  /** Three digits are more than the machine repeats. */
  public static String number(double value) {
    return String.format(Locale.ROOT, value < 99.95 ? "%.1f" : "%.0f", value);
  }

  public static String whole(double value) {
    return String.valueOf(Math.round(value));
  }

  public static String ratio(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  public static String withSpread(MedianAndRange spread) {
    return number(spread.median())
        + " ("
        + number(spread.least())
        + " to "
        + number(spread.most())
        + ")";
  }

  public static String ratioWithSpread(MedianAndRange spread) {
    return ratio(spread.median())
        + " ("
        + ratio(spread.least())
        + " to "
        + ratio(spread.most())
        + ")";
  }
}
