package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.arithmetic.TokenBucketMeter;
import dev.weir.internal.arithmetic.WindowEdges;
import dev.weir.internal.text.RateExpression;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * How many permits one key may use, and how they come back. Immutable and already checked.
 *
 * <p>Permits are between 1 and 2^53 - 1, periods are whole microseconds up to 400 days.
 */
public sealed interface Limit
    permits Limit.TokenBucket,
        Limit.FixedWindow,
        Limit.SlidingWindow,
        Limit.SlidingLog,
        Limit.RequestsInFlight {

  /** The most permits a single request can ever be granted. */
  long capacity();

  /** The N of "N per period". */
  long permits();

  /** The period of "N per period"; the hold of "N at once". */
  Duration period();

  Algorithm algorithm();

  /**
   * Reads a rate as rule files have it, as a token bucket: {@code 100 per minute}, {@code 5 per
   * 1h30m}.
   *
   * @throws IllegalArgumentException with what was expected
   */
  static Limit parse(String rate) {
    return parse(rate, Algorithm.TOKEN_BUCKET);
  }

  /**
   * Reads a rate as rule files have it.
   *
   * @param rate {@code 100 per minute}, {@code 5 per 1h30m}; for a fixed window also {@code 5000
   *     per month in Europe/Berlin}
   * @throws IllegalArgumentException with what was expected
   */
  static Limit parse(String rate, Algorithm algorithm) {
    Check.notNull("rate", rate);
    Check.notNull("algorithm", algorithm);
    return RateExpression.parse(rate, List.of()).limit(algorithm, null);
  }

  /** A burst of {@code permits}, refilled steadily at {@code permits} per period. */
  static TokenBucket tokenBucket(long permits, Duration period) {
    return new TokenBucket(permits, permits, period);
  }

  /** {@code permits} in each window; windows are aligned to the clock, counted from 1970. */
  static FixedWindow fixedWindow(long permits, Duration window) {
    return new FixedWindow(permits, new Window.Aligned(window));
  }

  /** {@code permits} in each calendar day, week or month of a time zone. */
  static FixedWindow fixedWindow(long permits, CalendarUnit unit, ZoneId zone) {
    return new FixedWindow(permits, new Window.Calendar(unit, zone));
  }

  /** {@code permits} per window; the previous window counts by its overlap. */
  static SlidingWindow slidingWindow(long permits, Duration window) {
    return new SlidingWindow(permits, window);
  }

  /** At most {@code permits} in any interval of length {@code window}, exactly. */
  static SlidingLog slidingLog(long permits, Duration window) {
    return new SlidingLog(permits, window);
  }

  /**
   * At most {@code slots} requests in flight at once.
   *
   * @param hold how long a holder keeps its slots without renewing them
   */
  static RequestsInFlight inFlight(long slots, Duration hold) {
    return new RequestsInFlight(slots, hold);
  }

  /**
   * Refills steadily: a burst of {@code capacity}, then {@code permits} per period. Fractions of a
   * permit are kept exactly.
   *
   * @param capacity the largest burst; filling it from empty must take at most 100 years
   */
  record TokenBucket(long capacity, long permits, Duration period) implements Limit {
    public TokenBucket {
      Check.limitPermits("permits", permits);
      Check.limitPermits("capacity", capacity);
      Check.period("period", period);
      TokenBucketMeter.checkFillTime(capacity, permits, period);
    }

    /** The same rate with another capacity. */
    public TokenBucket withBurst(long burst) {
      Check.limitPermits("burst", burst);
      return new TokenBucket(burst, permits, period);
    }

    @Override
    public Algorithm algorithm() {
      return Algorithm.TOKEN_BUCKET;
    }
  }

  /**
   * {@code permits} in each window; a full burst is possible at each side of a window's edge.
   *
   * @param warnAtPercent see {@link #warnAt}
   */
  record FixedWindow(long permits, Window window, OptionalInt warnAtPercent) implements Limit {
    public FixedWindow {
      Check.limitPermits("permits", permits);
      Check.notNull("window", window);
      Check.notNull("warnAtPercent", warnAtPercent).ifPresent(p -> Check.percent("warnAt", p));
    }

    /** Without a warning. */
    public FixedWindow(long permits, Window window) {
      this(permits, window, OptionalInt.empty());
    }

    /**
     * The same limit with a warning: answers show when this much of a window is used, and the
     * {@link DecisionListener} is notified by the decision that reaches it, once per key and window
     * over all instances that share the store.
     *
     * @param percent of the permits, from 1 to 100; the number of permits is rounded up
     */
    public FixedWindow warnAt(int percent) {
      return new FixedWindow(permits, window, OptionalInt.of(percent));
    }

    /** How many permits in use make answers warn; empty if they never do. */
    public OptionalLong warnAtPermits() {
      return warnAtPercent.isEmpty()
          ? OptionalLong.empty()
          : OptionalLong.of((permits * warnAtPercent.getAsInt() + 99) / 100);
    }

    /** The same limit with windows that start at a key's first use instead of by the clock. */
    public FixedWindow fromFirstUse() {
      if (window instanceof Window.Calendar) {
        throw new IllegalArgumentException(
            "window must have one length to start at first use, was " + window);
      }
      return new FixedWindow(permits, new Window.FromFirstUse(window.length()), warnAtPercent);
    }

    /** The end of the window that contains a time; both in microseconds since 1970. */
    public long windowEndMicros(long atMicros) {
      return WindowEdges.of(window).at(atMicros).end();
    }

    @Override
    public long capacity() {
      return permits;
    }

    @Override
    public Duration period() {
      return window.length();
    }

    @Override
    public Algorithm algorithm() {
      return Algorithm.FIXED_WINDOW;
    }
  }

  /** The previous window's count, weighted by its overlap, plus the current one's. */
  record SlidingWindow(long permits, Duration period) implements Limit {
    public SlidingWindow {
      Check.limitPermits("permits", permits);
      Check.period("period", period);
    }

    @Override
    public long capacity() {
      return permits;
    }

    @Override
    public Algorithm algorithm() {
      return Algorithm.SLIDING_WINDOW;
    }
  }

  /** Keeps every admission until it is one period old: exact, and needs memory for each. */
  record SlidingLog(long permits, Duration period) implements Limit {
    public SlidingLog {
      Check.limitPermits("permits", permits);
      Check.period("period", period);
    }

    @Override
    public long capacity() {
      return permits;
    }

    @Override
    public Algorithm algorithm() {
      return Algorithm.SLIDING_LOG;
    }
  }

  /**
   * Requests in flight. A decision takes slots, one per permit, for a holder with an id of its own;
   * they come back when the holder releases them, or when it has not renewed them for {@code hold}.
   *
   * @param permits how many slots there are: at most 100,000
   * @param hold how long slots are kept without being renewed
   */
  record RequestsInFlight(long permits, Duration hold) implements Limit {
    /** The most slots of one limit: a store keeps an entry for each that is taken. */
    public static final long MAX_SLOTS = 100_000;

    public RequestsInFlight {
      if (permits < 1 || permits > MAX_SLOTS) {
        throw new IllegalArgumentException(
            "slots must be between 1 and " + MAX_SLOTS + ", was " + permits);
      }
      Check.period("hold", hold);
    }

    @Override
    public long capacity() {
      return permits;
    }

    @Override
    public Duration period() {
      return hold;
    }

    @Override
    public Algorithm algorithm() {
      return Algorithm.IN_FLIGHT;
    }
  }
}
