package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.redis.LoadGenerator.MeasuredInterval;
import java.util.List;
import org.HdrHistogram.Histogram;

/** The latencies and decisions of one caller. Used by one thread at a time. */
final class CallStatistics {
  private static final long SLOWEST_NANOS = 60_000_000_000L;
  private static final int DIGITS = 2;

  private final MeasuredInterval interval;
  private final Histogram nanos = new Histogram(SLOWEST_NANOS, DIGITS);
  private long asked;
  private long admitted;

  CallStatistics(MeasuredInterval interval) {
    this.interval = interval;
  }

  void add(long begunNanos, long endedNanos, boolean allowed) {
    asked++;
    admitted += allowed ? 1 : 0;
    if (interval.holds(endedNanos)) {
      nanos.recordValue(Math.min(SLOWEST_NANOS, endedNanos - begunNanos));
    }
  }

  static CallStatistics sum(MeasuredInterval interval, List<CallStatistics> perCaller) {
    CallStatistics sum = new CallStatistics(interval);
    for (CallStatistics each : perCaller) {
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
    return nanos.getTotalCount() / interval.seconds();
  }

  double micros(double percentile) {
    return nanos.getValueAtPercentile(percentile) / 1e3;
  }
}
