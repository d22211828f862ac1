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
    permits TokenBucketMeter, FixedWindowMeter, SlidingWindowMeter, SlidingLogMeter, InFlightMeter {
  final Limit limit;
  final long capacity;

  /** Two capacities: the most that can be in use, one capacity of it as debt. */
  final long mostUsed;

  Meter(Limit limit) {
    this.limit = limit;
    this.capacity = limit.capacity();
    this.mostUsed = Math.min(2 * capacity, Check.MAX_PERMITS);
  }

  /**
   * The meter of a limit. That of a sliding log needs states that are {@link LogState}s, too; that
   * of requests in flight needs {@link HeldState}s.
   */
  public static Meter of(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> new TokenBucketMeter((Limit.TokenBucket) limit);
      case FIXED_WINDOW -> new FixedWindowMeter((Limit.FixedWindow) limit);
      case SLIDING_WINDOW -> new SlidingWindowMeter((Limit.SlidingWindow) limit);
      case SLIDING_LOG -> new SlidingLogMeter((Limit.SlidingLog) limit);
      case IN_FLIGHT -> new InFlightMeter((Limit.RequestsInFlight) limit);
    };
  }

  public final Limit limit() {
    return limit;
  }

  /** The form of a meter's states. States of one form can be converted into each other. */
  public enum Form {
    /** Three numbers. */
    NUMBERS,
    /** A {@link LogState}. */
    LOG,
    /** A {@link HeldState}. */
    SLOTS
  }

  public final Form form() {
    return this instanceof SlidingLogMeter
        ? Form.LOG
        : this instanceof InFlightMeter ? Form.SLOTS : Form.NUMBERS;
  }

  /**
   * Whether these permits could be taken now. Changes nothing. It may be called while another
   * thread writes the state: the answer is then meaningless, but nothing is thrown.
   */
  public boolean fits(State state, long nowMicros, long permits) {
    return permits <= capacity && used(state, nowMicros) <= capacity - permits;
  }

  /** Takes permits that fit. */
  public abstract void take(State state, long nowMicros, long permits);

  /**
   * Takes permits whether they fit or not, into debt of at most one capacity.
   *
   * @param debt whether it may go into debt; if not, it takes what is there
   * @return whether the state has changed
   */
  public boolean charge(State state, long nowMicros, long permits, boolean debt) {
    long most = debt ? mostUsed : capacity;
    long charged = Math.min(permits, most - used(state, nowMicros));
    if (charged <= 0) {
      return false;
    }
    take(state, nowMicros, charged);
    return true;
  }

  /** Gives permits back out of those in use now, never above fresh; returns whether it did. */
  public abstract boolean refund(State state, long nowMicros, long permits);

  /**
   * Gives back permits granted at a known time; returns whether it did. Permits that have come back
   * since are not given twice. A time at which nothing can have been granted gives nothing back.
   */
  public abstract boolean refundGrant(
      State state, long nowMicros, long permits, long grantedAtMicros);

  /**
   * Moves a state back to now and keeps its use, if the state is so far in the future that its key
   * would be denied for more than two windows. For a store whose clock was set back.
   */
  public abstract void bringBack(State state, long nowMicros);

  /** Permits that could be taken now: 0 or more. */
  public long remaining(State state, long nowMicros) {
    return Math.max(0, capacity - used(state, nowMicros));
  }

  /** Whether the limit's warn-at was reached in the current window, even if less is used by now. */
  public boolean warned(State state, long nowMicros) {
    return false;
  }

  /** Until the state is fresh. */
  public abstract long resetAfter(State state, long nowMicros);

  /** The smallest wait after which permits fit that do not fit now: 1 to capacity of them. */
  abstract long waitFor(State state, long nowMicros, long permits);

  /**
   * Permits in use now, rounded up. More than the capacity if the key is in debt, or if the
   * capacity was lowered.
   */
  abstract long used(State state, long nowMicros);

  /** Sets the state so that this much is in use at this time. */
  abstract void setUsed(State state, long atMicros, long used);

  /** The time at which the last use in a state written under this limit ends; 0 if it is empty. */
  public abstract long endsAt(State state);

  /**
   * Converts a state that another limit wrote for this limit.
   *
   * <p>Use at the time of the last write counts as if it had been taken under this limit at that
   * time, and expires when it expires under the limit that wrote it. So the answer depends on the
   * state alone and not on which limits have read it, and a retry after the named wait fits.
   */
  public final State view(State state, Meter writer, long nowMicros) {
    State view = new State();
    if (!writer.isFresh(state, nowMicros)) {
      view.set(state.time, state.amount, state.extra);
      convert(view, writer);
    }
    return view;
  }

  /** Rewrites a state of another limit for this one, as of the time of its last write. */
  void convert(State state, Meter writer) {
    long used = Math.min(writer.used(state, state.time), Check.MAX_PERMITS);
    if (used == 0) {
      state.clear();
    } else {
      setUsed(state, state.time, used);
    }
  }

  /** Zero if the permits fit, {@link Micros#NEVER} if they are above the capacity. */
  public final long retryAfter(State state, long nowMicros, long permits) {
    if (permits > capacity) {
      return Micros.NEVER;
    }
    return fits(state, nowMicros, permits) ? 0 : waitFor(state, nowMicros, permits);
  }

  /** Whether a state that this limit has written may be forgotten: nothing is in use any more. */
  public final boolean isFresh(State state, long nowMicros) {
    return endsAt(state) <= nowMicros;
  }

  /** The answer for a claim whose outcome is known, from the state after it. */
  public final Verdict verdict(State state, long nowMicros, long permits, boolean fits) {
    return verdict(state, nowMicros, permits, fits, Long.MAX_VALUE);
  }

  /**
   * The answer from a {@link #view}.
   *
   * @param endsAt when the state expires under the limit that wrote it
   */
  public final Verdict verdict(
      State state, long nowMicros, long permits, boolean fits, long endsAt) {
    long retryAfter = fits ? 0 : retryAfter(state, nowMicros, permits);
    long left = Math.max(0, endsAt - nowMicros);
    return new Verdict(
        fits ? Math.max(nowMicros, state.time) : nowMicros,
        fits,
        remaining(state, nowMicros),
        retryAfter == Micros.NEVER ? retryAfter : Math.min(retryAfter, left),
        Math.min(resetAfter(state, nowMicros), left));
  }

  /** The answer for a charge, taken whether it fit or not: it fits if the state has no debt. */
  public final Verdict chargeVerdict(State state, long nowMicros, long permits, long endsAt) {
    return verdict(state, nowMicros, permits, fits(state, nowMicros, 0), endsAt);
  }
}
