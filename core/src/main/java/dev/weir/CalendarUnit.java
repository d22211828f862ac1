package dev.weir;

import java.time.Duration;

/** A window that people read off a calendar; its length follows the time zone's rules. */
public enum CalendarUnit {
  /** From midnight to midnight: 23 or 25 hours when clocks change. */
  DAY(1),
  /** From Monday to Monday. */
  WEEK(7),
  /** From the first of a month to the first of the next. */
  MONTH(31);

  private final Duration longest;

  CalendarUnit(int days) {
    longest = Duration.ofDays(days);
  }

  /** Its length in whole days; for a month, that of the longest. */
  public Duration longest() {
    return longest;
  }
}
