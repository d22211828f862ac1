package dev.weir.model;

import dev.weir.Limit;
import dev.weir.internal.Micros;
import java.util.Arrays;
import java.util.TreeMap;

/**
 * Whether admissions of one permit each, at known times, stay within the bound of a limit: over all
 * intervals, and with whole numbers.
 */
public final class AdmissionBound {
  private AdmissionBound() {}

  /** By how many permits the bound is exceeded at most; 0 or less if it holds. */
  public static long excess(Limit limit, long[] timesMicros) {
    long[] times = timesMicros.clone();
    Arrays.sort(times);
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> bucketExcess(limit, times);
      case FIXED_WINDOW -> windowExcess(limit, times, false);
      case SLIDING_WINDOW -> windowExcess(limit, times, true);
      case SLIDING_LOG -> throw new IllegalArgumentException("no lease of a sliding log");
    };
  }

  /**
   * From admission i to admission j, j - i + 1 passed, and C + R (tj - ti) / P may. In units of 1/P
   * permit: the largest of (j + 1) P - R tj minus the smallest of i P - R ti before it.
   */
  private static long bucketExcess(Limit limit, long[] times) {
    long period = Micros.of(limit.period());
    long worst = Long.MIN_VALUE;
    long smallest = Long.MAX_VALUE;
    long origin = times.length == 0 ? 0 : times[0];
    for (int j = 0; j < times.length; j++) {
      long refilled = Math.multiplyExact(limit.permits(), times[j] - origin);
      smallest = Math.min(smallest, Math.multiplyExact(j, period) - refilled);
      worst = Math.max(worst, Math.multiplyExact(j + 1L, period) - refilled - smallest);
    }
    return times.length == 0
        ? 0
        : Math.floorDiv(worst - limit.capacity() * period + period - 1, period);
  }

  private static long windowExcess(Limit limit, long[] times, boolean slides) {
    long window = Micros.of(limit.period());
    TreeMap<Long, Long> counts = new TreeMap<>();
    long worst = Long.MIN_VALUE;
    for (long time : times) {
      long start = time - Math.floorMod(time, window);
      long current = counts.merge(start, 1L, Long::sum);
      long previous = slides ? counts.getOrDefault(start - window, 0L) : 0;
      long weighted =
          -Math.floorDiv(-Math.multiplyExact(previous, window - (time - start)), window);
      worst = Math.max(worst, current + weighted - limit.capacity());
    }
    return worst;
  }
}
