package dev.weir.redis;

import dev.weir.Limit;
import dev.weir.internal.Micros;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whether admissions of one permit each stay within the bound of a limit, over all intervals.
 *
 * <p>Of an admission only two times are known: before the request, and after its answer. It counts
 * for the intervals that hold both.
 */
final class AdmissionBound {
  private AdmissionBound() {}

  /** One admission. */
  record Admission(long beforeMicros, long afterMicros) {}

  /** By how many permits the bound is exceeded at most; 0 or less if it holds. */
  static long excess(Limit limit, List<Admission> admissions) {
    List<Admission> byEnd = new ArrayList<>(admissions);
    byEnd.sort(Comparator.comparingLong(Admission::afterMicros));
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> bucketExcess(limit, byEnd);
      case FIXED_WINDOW -> windowExcess(limit, byEnd, false);
      case SLIDING_WINDOW -> windowExcess(limit, byEnd, true);
      case SLIDING_LOG, IN_FLIGHT ->
          throw new IllegalArgumentException("no lease of a sliding log");
    };
  }

  /**
   * In units of 1/P permit, the most of (admissions from s to e) P - R (e - s). While e grows, a
   * tree keeps (admissions from s on) P + R s for every s.
   */
  private static long bucketExcess(Limit limit, List<Admission> byEnd) {
    long period = Micros.of(limit.period());
    long[] starts = byEnd.stream().mapToLong(Admission::beforeMicros).sorted().distinct().toArray();
    if (starts.length == 0) {
      return 0;
    }
    MaxTree tree = new MaxTree(starts, limit.permits());
    long worst = Long.MIN_VALUE;
    for (Admission admission : byEnd) {
      tree.addUpTo(admission.beforeMicros, period);
      tree.open(admission.beforeMicros);
      worst = Math.max(worst, tree.max() - limit.permits() * (admission.afterMicros - starts[0]));
    }
    return -Math.floorDiv(-(worst - limit.capacity() * period), period);
  }

  /** The largest of numbers that are raised from the first up to any place. */
  private static final class MaxTree {
    private static final long CLOSED = 1L << 60;

    private final long[] starts;
    private final boolean[] open;
    private final long[] max;
    private final long[] added;

    MaxTree(long[] starts, long rate) {
      this.starts = starts;
      this.open = new boolean[starts.length];
      this.max = new long[4 * starts.length];
      this.added = new long[4 * starts.length];
      fill(1, 0, starts.length - 1, rate);
    }

    private void fill(int node, int from, int to, long rate) {
      max[node] = rate * (starts[to] - starts[0]) - CLOSED; // they grow with their place
      if (from < to) {
        fill(2 * node, from, (from + to) / 2, rate);
        fill(2 * node + 1, (from + to) / 2 + 1, to, rate);
      }
    }

    /** Lets intervals begin here. */
    void open(long start) {
      int place = Arrays.binarySearch(starts, start);
      if (!open[place]) {
        open[place] = true;
        add(1, 0, starts.length - 1, start, CLOSED);
        if (place > 0) {
          add(1, 0, starts.length - 1, starts[place - 1], -CLOSED);
        }
      }
    }

    long max() {
      return max[1];
    }

    void addUpTo(long start, long amount) {
      add(1, 0, starts.length - 1, start, amount);
    }

    private void add(int node, int from, int to, long start, long amount) {
      if (starts[from] > start) {
        return;
      }
      if (starts[to] <= start) {
        max[node] += amount;
        added[node] += amount;
        return;
      }
      int middle = (from + to) / 2;
      add(2 * node, from, middle, start, amount);
      add(2 * node + 1, middle + 1, to, start, amount);
      max[node] = added[node] + Math.max(max[2 * node], max[2 * node + 1]);
    }
  }

  private static long windowExcess(Limit limit, List<Admission> byEnd, boolean slides) {
    long window = Micros.of(limit.period());
    Map<Long, Long> counts = new HashMap<>();
    long worst = Long.MIN_VALUE;
    for (Admission admission : byEnd) {
      long start = Math.floorDiv(admission.afterMicros, window) * window;
      if (admission.beforeMicros >= start) { // or it may have been in the window before
        long current = counts.merge(start, 1L, Long::sum);
        long previous = slides ? counts.getOrDefault(start - window, 0L) : 0;
        long overlap = window - (admission.afterMicros - start);
        long weighted = -Math.floorDiv(-previous * overlap, window);
        worst = Math.max(worst, current + weighted - limit.capacity());
      }
    }
    return worst;
  }
}
