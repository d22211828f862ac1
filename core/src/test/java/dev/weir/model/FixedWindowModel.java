package dev.weir.model;

import dev.weir.CalendarUnit;
import dev.weir.Limit;
import dev.weir.Window;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;

/** A count that belongs to one window; the window is a number, and its edges are never needed. */
final class FixedWindowModel implements Model {
  private final long limit;
  private final Window window;

  private long openedAt;
  private long count;

  FixedWindowModel(Limit.FixedWindow limit) {
    this.limit = limit.permits();
    this.window = limit.window();
  }

  @Override
  public boolean fits(long at, long permits) {
    return permits <= limit && count(at) + permits <= limit;
  }

  @Override
  public boolean fresh(long at) {
    return count(at) == 0;
  }

  @Override
  public void take(long at, long permits) {
    long before = count(at);
    openedAt = before == 0 ? at : openedAt;
    count = before + permits;
  }

  @Override
  public void charge(long at, long permits) {
    take(at, Math.min(permits, Model.mostUsed(limit) - count(at)));
  }

  @Override
  public void refund(long at, long permits) {
    count = Math.max(0, count(at) - permits);
  }

  @Override
  public void refundGrant(long at, long permits, long grantedAt) {
    boolean together = grantedAt >= openedAt || number(grantedAt) == number(openedAt);
    if (together && count(at) > 0) {
      refund(at, permits);
    }
  }

  @Override
  public void reset() {
    count = 0;
  }

  private long count(long at) {
    return number(at) == number(openedAt) ? count : 0;
  }

  private long number(long at) {
    if (window instanceof Window.Calendar calendar) {
      return number(calendar.unit(), Instant.ofEpochMilli(at / 1000).atZone(calendar.zone()));
    }
    long length = window.length().toNanos() / 1000;
    return window instanceof Window.Aligned ? at / length : Math.floorDiv(at - openedAt, length);
  }

  private static long number(CalendarUnit unit, ZonedDateTime at) {
    LocalDate date = at.toLocalDate();
    return switch (unit) {
      case DAY -> date.toEpochDay();
      case WEEK -> Math.floorDiv(date.toEpochDay() + 3, 7); // 1970 began on a Thursday
      case MONTH -> date.getYear() * 12L + date.getMonthValue();
    };
  }
}
