package dev.weir.benchmarks.redis;

import java.util.List;
import org.HdrHistogram.Histogram;

/** What one caller has seen. Used by one thread at a time. */
final class Tally {
  private static final long SLOWEST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 2;

  private final Window window;
  private final Histogram nanos = new Histogram(SLOWEST_NANOS, DIGITS);
  private long asked;
  private long admitted;

  Tally(Window window) {
    this.window = window;
  }

  void add(long begunNanos, long endedNanos, boolean allowed) {
    asked++;
    admitted += allowed ? 1 : 0;
    if (window.holds(endedNanos)) {
      nanos.recordValue(Math.min(SLOWEST_NANOS, endedNanos - begunNanos));
    }
  }

  static Tally sum(Window window, List<Tally> tallies) {
    Tally sum = new Tally(window);
    for (Tally each : tallies) {
      sum.asked += each.asked;
      sum.admitted += each.admitted;
      sum.nanos.add(each.nanos);
    }
    return sum;
  }

  long asked() {
    return asked;
  }

  long admitted() {
    return admitted;
  }

  double perSecond() {
    return nanos.getTotalCount() / window.seconds();
  }

  double micros(double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e3;
  }
}
