package dev.weir.server.dashboard;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * How long the store took to answer in the last seconds, read from the histogram that the metrics
 * keep anyway: decisions pay nothing for it. Safe for many threads.
 */
public final class StoreLatency {
  private static final int SECONDS = 10;

  private final MeterRegistry registry;
  private final Deque<CountAtBucket[]> snapshots = new ArrayDeque<>();

  public StoreLatency(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Reads the histogram; to be called once a second. */
  public void tick() {
    Timer timer =
        registry.find("weir.store.latency").tags("call", "decide", "result", "answered").timer();
    if (timer == null) {
      return;
    }
    CountAtBucket[] now = timer.takeSnapshot().histogramCounts();
    synchronized (this) {
      snapshots.addLast(now);
      if (snapshots.size() > SECONDS + 1) {
        snapshots.removeFirst();
      }
    }
  }

  /**
   * The latency at this percentile, interpolated within a bucket of the histogram; empty if there
   * were no answers.
   *
   * @param part 0.5 for the median
   */
  synchronized OptionalLong micros(double part) {
    if (snapshots.size() < 2) {
      return OptionalLong.empty();
    }
    CountAtBucket[] before = snapshots.getFirst();
    CountAtBucket[] now = snapshots.getLast();
    if (now.length == 0 || before.length != now.length) {
      return OptionalLong.empty();
    }
    double all = count(before, now, now.length - 1);
    return all <= 0 ? OptionalLong.empty() : OptionalLong.of(within(before, now, part * all));
  }

  private static long within(CountAtBucket[] before, CountAtBucket[] now, double wanted) {
    double below = 0;
    double from = 0;
    for (int i = 0; i < now.length; i++) {
      double upTo = count(before, now, i);
      double to = now[i].bucket(TimeUnit.MICROSECONDS);
      if (upTo >= wanted) {
        if (Double.isInfinite(to) || to > TimeUnit.HOURS.toMicros(1)) {
          return (long) from; // beyond the last bucket nothing is known
        }
        double share = upTo == below ? 1 : (wanted - below) / (upTo - below);
        return Math.round(from + share * (to - from));
      }
      below = upTo;
      from = to;
    }
    return (long) from;
  }

  private static double count(CountAtBucket[] before, CountAtBucket[] now, int bucket) {
    return now[bucket].count() - before[bucket].count();
  }
}
