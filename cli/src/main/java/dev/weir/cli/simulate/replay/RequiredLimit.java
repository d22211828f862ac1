package dev.weir.cli.simulate.replay;

import dev.weir.Limit;
import dev.weir.Window;
import java.util.Arrays;

/**
 * The smallest number that would have let all requests of one key pass so far.
 *
 * <p>It follows from the requests alone, because with that number none is denied: for a fixed
 * window the fullest window, for a sliding window the largest weighted count, for a bucket with a
 * burst of its own the deepest deficit at its rate. For a sliding log, and for a bucket as deep as
 * its rate, it is the most that was asked for in any period; the bucket may need less. The same
 * estimate is used for requests in flight, because a log does not say when they ended: each counts
 * for one hold. Not safe for many threads.
 */
abstract class RequiredLimit {
  /** Adds a request and returns the limit required so far; times never decrease. */
  abstract long after(long atMicros, long permits);

  static RequiredLimit of(Limit limit) {
    long period = micros(limit);
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> hasBurst(limit) ? new OfBurst(limit, period) : new OfAnyPeriod(period);
      case FIXED_WINDOW -> isAligned(limit) ? new OfWindow(period) : new OfAnyPeriod(period);
      case SLIDING_WINDOW -> new OfSlidingWindow(period);
      case SLIDING_LOG, IN_FLIGHT -> new OfAnyPeriod(period);
    };
  }

  /** Whether the number to choose is the burst, because it differs from that of the rate. */
  static boolean hasBurst(Limit limit) {
    return limit.capacity() != limit.permits();
  }

  static long micros(Limit limit) {
    return limit.period().getSeconds() * 1_000_000 + limit.period().getNano() / 1000;
  }

  private static boolean isAligned(Limit limit) {
    return limit instanceof Limit.FixedWindow fixed && fixed.window() instanceof Window.Aligned;
  }

  private static final class OfWindow extends RequiredLimit {
    private final long period;
    private long window = -1;
    private long used;

    private OfWindow(long period) {
      this.period = period;
    }

    @Override
    long after(long atMicros, long permits) {
      if (atMicros / period != window) {
        window = atMicros / period;
        used = 0;
      }
      used += permits;
      return used;
    }
  }

  private static final class OfSlidingWindow extends RequiredLimit {
    private final long period;
    private long window = -1;
    private long before;
    private long used;

    private OfSlidingWindow(long period) {
      this.period = period;
    }

    @Override
    long after(long atMicros, long permits) {
      long current = atMicros / period;
      if (current != window) {
        before = current == window + 1 ? used : 0;
        used = 0;
        window = current;
      }
      used += permits;
      double overlap = 1 - (double) (atMicros % period) / period;
      return used + (long) Math.ceil(before * overlap);
    }
  }

  private static final class OfBurst extends RequiredLimit {
    private final double perMicro;
    private long last;
    private double deficit;

    private OfBurst(Limit limit, long period) {
      perMicro = (double) limit.permits() / period;
    }

    @Override
    long after(long atMicros, long permits) {
      deficit = Math.max(0, deficit - (atMicros - last) * perMicro) + permits;
      last = atMicros;
      return (long) Math.ceil(deficit - 1e-6);
    }
  }

  /** Requests closer than 1/64 of the period count as one, at the time of the last. */
  private static final class OfAnyPeriod extends RequiredLimit {
    private static final int STEPS = 64;

    private final long period;
    private long[] times = new long[2];
    private long[] amounts = new long[2];
    private int first;
    private int size;
    private long firstOfLast;
    private long sum;

    private OfAnyPeriod(long period) {
      this.period = period;
    }

    @Override
    long after(long atMicros, long permits) {
      while (size > 0 && times[first] <= atMicros - period) {
        sum -= amounts[first];
        first = (first + 1) % times.length;
        size--;
      }
      if (size == 0 || atMicros - firstOfLast >= period / STEPS) {
        firstOfLast = atMicros;
        append();
      }
      int last = (first + size - 1) % times.length;
      times[last] = atMicros;
      amounts[last] += permits;
      sum += permits;
      return sum;
    }

    private void append() {
      if (size == times.length) {
        times = unrolled(times);
        amounts = unrolled(amounts);
        first = 0;
      }
      size++;
      amounts[(first + size - 1) % times.length] = 0;
    }

    private long[] unrolled(long[] ring) {
      long[] wider = Arrays.copyOf(Arrays.copyOfRange(ring, first, ring.length), 2 * ring.length);
      System.arraycopy(ring, 0, wider, ring.length - first, first);
      return wider;
    }
  }
}
