package dev.weir.internal.text;

import java.time.Duration;

/**
 * A duration in the words of a rule file, exact and without units that are zero: {@code 500d},
 * {@code 1h30m}, {@code 250ms}, {@code 1us}.
 */
public final class HumanDuration {
  private static final String[] UNITS = {"d", "h", "m", "s", "ms", "us", "ns"};

  private HumanDuration() {}

  public static String of(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    if (duration.isNegative()) {
      return duration.getSeconds() == Long.MIN_VALUE
          ? duration.toString()
          : "-" + of(duration.negated());
    }
    int nanos = duration.getNano();
    long[] amounts = {
      duration.toDaysPart(),
      duration.toHoursPart(),
      duration.toMinutesPart(),
      duration.toSecondsPart(),
      nanos / 1_000_000,
      nanos / 1000 % 1000,
      nanos % 1000
    };
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < UNITS.length; i++) {
      if (amounts[i] != 0) {
        out.append(amounts[i]).append(UNITS[i]);
      }
    }
    return out.toString();
  }
}
