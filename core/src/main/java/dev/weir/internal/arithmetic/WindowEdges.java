package dev.weir.internal.arithmetic;

import dev.weir.CalendarUnit;
import dev.weir.Window;
import dev.weir.internal.Micros;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;

/** Where windows begin and end, in microseconds since 1970. */
public interface WindowEdges {
  /**
   * The window that contains this instant. For windows that start at first use: the window that a
   * first use at this instant opens.
   */
  Edges at(long nowMicros);

  /** From {@code start}, inclusive, to {@code end}, exclusive. */
  record Edges(long start, long end) {
    boolean hold(long now) {
      return now >= start && now < end;
    }
  }

  /** The begin of the window with this end. */
  default long startOf(long endMicros) {
    return at(endMicros - 1).start;
  }

  /** The window of this limit that takes over the count of another limit's running window. */
  default Edges moved(Edges running, long writtenAtMicros) {
    return at(writtenAtMicros);
  }

  static WindowEdges of(Window window) {
    if (window instanceof Window.Calendar calendar) {
      return new OnCalendar(calendar.unit(), calendar.zone());
    }
    long length = Micros.of(window.length());
    return window instanceof Window.FromFirstUse ? new FirstUseEdges(length) : aligned(length);
  }

  private static WindowEdges aligned(long length) {
    return now -> {
      long start = now - Math.floorMod(now, length);
      return new Edges(start, start + length);
    };
  }

  /**
   * Keeps the start of a running window where it can, so that repeated conversions do not extend
   * it.
   */
  record FirstUseEdges(long length) implements WindowEdges {
    @Override
    public Edges at(long now) {
      return new Edges(now, now + length);
    }

    @Override
    public long startOf(long end) {
      return end - length;
    }

    @Override
    public Edges moved(Edges running, long writtenAt) {
      return at(writtenAt < running.start + length ? running.start : writtenAt);
    }
  }

  /** Calendar windows. The rules of the time zone are asked once per window. */
  final class OnCalendar implements WindowEdges {
    private final CalendarUnit unit;
    private final ZoneId zone;
    private volatile Edges latest = new Edges(0, 0);

    OnCalendar(CalendarUnit unit, ZoneId zone) {
      this.unit = unit;
      this.zone = zone;
    }

    @Override
    public Edges at(long now) {
      Edges edges = latest;
      if (!edges.hold(now)) {
        edges = compute(now);
        latest = edges;
      }
      return edges;
    }

    private Edges compute(long now) {
      Instant instant = Instant.ofEpochSecond(Math.floorDiv(now, 1_000_000L));
      LocalDate today = instant.atZone(zone).toLocalDate();
      LocalDate first = firstDay(today);
      return new Edges(startOf(first), startOf(dayAfter(first)));
    }

    private LocalDate firstDay(LocalDate today) {
      return switch (unit) {
        case DAY -> today;
        case WEEK -> today.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        case MONTH -> today.withDayOfMonth(1);
      };
    }

    private LocalDate dayAfter(LocalDate first) {
      return switch (unit) {
        case DAY -> first.plusDays(1);
        case WEEK -> first.plusWeeks(1);
        case MONTH -> first.plusMonths(1);
      };
    }

    private long startOf(LocalDate day) {
      return day.atStartOfDay(zone).toEpochSecond() * 1_000_000;
    }
  }
}
