package dev.weir.model;

import dev.weir.CalendarUnit;
import dev.weir.Limit;
import dev.weir.Window;
import java.math.BigInteger;
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
  public boolean charge(long at, long permits, boolean debt) {
    long charged = Math.min(permits, Model.mostUsed(limit, debt) - count(at));
    if (charged > 0) {
      take(at, charged);
    }
    return charged > 0;
  }

  @Override
  public boolean refund(long at, long permits) {
    long before = count(at);
    count = Math.max(0, before - permits);
    return before > 0;
  }

  @Override
  public boolean refundGrant(long at, long permits, long grantedAt) {
    return grantedAt >= start() && grantedAt <= at && refund(at, permits);
  }

  @Override
  public BigInteger[] used(long at) {
    return new BigInteger[] {BigInteger.valueOf(count(at)), BigInteger.ONE};
  }

  /** A window that starts at first use keeps the start of the one before, if that is running. */
  @Override
  public void adopt(Model writer, long writtenAt) {
    count = Model.wholeUsed(writer, writtenAt);
    openedAt = writtenAt;
    if (window instanceof Window.FromFirstUse && writer instanceof FixedWindowModel other) {
      long start = other.start();
      openedAt = writtenAt < start + length() ? start : writtenAt;
    }
  }

  private long start() {
    if (window instanceof Window.Calendar calendar) {
      ZonedDateTime day = Instant.ofEpochMilli(openedAt / 1000).atZone(calendar.zone());
      LocalDate first =
          switch (calendar.unit()) {
            case DAY -> day.toLocalDate();
            case WEEK -> day.toLocalDate().minusDays(day.getDayOfWeek().getValue() - 1);
            case MONTH -> day.toLocalDate().withDayOfMonth(1);
          };
      return first.atStartOfDay(calendar.zone()).toEpochSecond() * 1_000_000;
    }
    return window instanceof Window.Aligned ? openedAt - openedAt % length() : openedAt;
  }

  private long length() {
    return window.length().toNanos() / 1000;
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
