package dev.weir.cli.simulate.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * Requests and denials over time, in columns that grow wider as the log grows longer: never more
 * than a few hundred. Times must not go back. Not safe for many threads.
 */
public final class TrafficHistogram {
  private static final int MAX_COLUMNS = 240;

  /** Seconds; each divides the next, so that columns can be joined. */
  private static final long[] WIDTHS = {
    1,
    5,
    10,
    30,
    60,
    300,
    600,
    1800,
    3600,
    7200,
    21_600,
    43_200,
    86_400,
    172_800,
    1_209_600,
    7_257_600,
    72_576_000,
    725_760_000
  };

  private final List<Column> columns = new ArrayList<>();
  private int width;

  /** What happened from a time on, for one width. */
  public static final class Column {
    private final long index;
    private long requests;
    private long denied;

    private Column(long index) {
      this.index = index;
    }

    /** Its place on the time axis: the start of the column divided by its width. */
    public long index() {
      return index;
    }

    public long requests() {
      return requests;
    }

    public long denied() {
      return denied;
    }
  }

  void add(long atMicros, boolean allowed) {
    Column column = at(atMicros / widthMicros());
    column.requests++;
    column.denied += allowed ? 0 : 1;
    while (span() > MAX_COLUMNS) {
      width++;
      join(WIDTHS[width] / WIDTHS[width - 1]);
    }
  }

  public long widthMicros() {
    return WIDTHS[width] * 1_000_000;
  }

  /** Only those in which something happened, in their order. */
  public List<Column> columns() {
    return columns;
  }

  /** How many columns there are from the first to the last, the empty ones too. */
  public long span() {
    return columns.isEmpty() ? 0 : columns.get(columns.size() - 1).index - columns.get(0).index + 1;
  }

  /** The same in at most this many columns. */
  public TrafficHistogram narrowed(int most) {
    TrafficHistogram narrow = new TrafficHistogram();
    narrow.width = width;
    for (Column column : columns) {
      narrow.columns.add(copy(column));
    }
    while (narrow.span() > most && narrow.width + 1 < WIDTHS.length) {
      narrow.width++;
      narrow.join(WIDTHS[narrow.width] / WIDTHS[narrow.width - 1]);
    }
    return narrow;
  }

  private static Column copy(Column column) {
    Column same = new Column(column.index);
    same.requests = column.requests;
    same.denied = column.denied;
    return same;
  }

  private void join(long factor) {
    List<Column> old = List.copyOf(columns);
    columns.clear();
    for (Column column : old) {
      Column joined = at(column.index / factor);
      joined.requests += column.requests;
      joined.denied += column.denied;
    }
  }

  private Column at(long index) {
    Column last = columns.isEmpty() ? null : columns.get(columns.size() - 1);
    if (last == null || last.index != index) {
      last = new Column(index);
      columns.add(last);
    }
    return last;
  }
}
