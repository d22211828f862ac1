package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.Check;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;

/**
 * The arithmetic of one limit over the {@link State} of one key. Immutable; no clock is read.
 *
 * <p>A time earlier than the state's own counts as the state's own: a state never moves back.
 */
public abstract sealed class Meter
    permits TokenBucketMeter, FixedWindowMeter, SlidingWindowMeter, SlidingLogMeter {
  final Limit limit;
  final long capacity;

  /** Two capacities: as far into debt as a charge can go. */
  final long mostUsed;

  Meter(Limit limit) {
    this.limit = limit;
    this.capacity = limit.capacity();
    this.mostUsed = Math.min(2 * capacity, Check.MAX_PERMITS);
  }

  /** A sliding log's meter works on states that also are {@link LogState}s. */
  public static Meter of(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> new TokenBucketMeter((Limit.TokenBucket) limit);
      case FIXED_WINDOW -> new FixedWindowMeter((Limit.FixedWindow) limit);
      case SLIDING_WINDOW -> new SlidingWindowMeter((Limit.SlidingWindow) limit);
      case SLIDING_LOG -> new SlidingLogMeter((Limit.SlidingLog) limit);
    };
  }

  public final Limit limit() {
    return limit;
  }

  /** Whether its states are {@link LogState}s, which cannot be copied as three numbers. */
  public final boolean keepsLog() {
    return this instanceof SlidingLogMeter;
  }

  /** Whether these permits could be taken now. Reads only, and survives a torn read. */
  public boolean fits(State state, long nowMicros, long permits) {
    return permits <= capacity && used(state, nowMicros) <= capacity - permits;
  }

  /** Takes permits that fit. */
  public abstract void take(State state, long nowMicros, long permits);

  /** Takes permits whether they fit or not, into debt of at most one capacity. */
  public abstract void charge(State state, long nowMicros, long permits);

  /** Gives permits back to what is in use now, never above fresh. */
  public abstract void refund(State state, long nowMicros, long permits);

  /** Gives back permits granted at a known time: what has come back since is not given twice. */
  public abstract void refundGrant(State state, long nowMicros, long permits, long grantedAtMicros);

  /**
   * Brings a state back to now, with its use kept, if it lies so far ahead that it would lock out
   * for more than two windows: for a store whose clock was set back.
   */
  public abstract void bringBack(State state, long nowMicros);

  /** Permits that could be taken now: 0 or more. */
  public long remaining(State state, long nowMicros) {
    return Math.max(0, capacity - used(state, nowMicros));
  }

  /** Until the state is as good as none. */
  public abstract long resetAfter(State state, long nowMicros);

  /** The smallest wait after which permits that do not fit would, given 1 to capacity of them. */
  abstract long waitFor(State state, long nowMicros, long permits);

  /** Permits in use now, rounded up, also above the capacity: in debt, or after it was lowered. */
  abstract long used(State state, long nowMicros);

  /** Sets a state that has this much in use at this time. */
  abstract void setUsed(State state, long atMicros, long used);

  /** Rewrites a state of another limit for this one: what was used stays used. */
  public void convert(State state, Meter from, long nowMicros) {
    long used = from.used(state, nowMicros);
    if (used == 0) {
      state.clear();
    } else {
      setUsed(state, Math.max(nowMicros, state.time), used);
    }
  }

  /** Zero if the permits fit, {@link Micros#NEVER} if they are above the capacity. */
  public final long retryAfter(State state, long nowMicros, long permits) {
    if (permits > capacity) {
      return Micros.NEVER;
    }
    return fits(state, nowMicros, permits) ? 0 : waitFor(state, nowMicros, permits);
  }

  /**
   * Whether the state may be forgotten: nothing is in use, under this limit or, where a lowered
   * capacity hides some of it, under the one before.
   */
  public boolean isFresh(State state, long nowMicros) {
    return used(state, nowMicros) == 0;
  }

  /** The answer for a claim whose fate is known, from the state after it. */
  public final Verdict verdict(State state, long nowMicros, long permits, boolean fits) {
    long retryAfter = fits ? 0 : retryAfter(state, nowMicros, permits);
    return new Verdict(
        nowMicros, fits, remaining(state, nowMicros), retryAfter, resetAfter(state, nowMicros));
  }
}
