package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.arithmetic.WindowEdges.Edges;

/**
 * A counter that starts again with every window.
 *
 * <p>State: {@code time} is the last write, {@code amount} the count, {@code extra} the end of the
 * window. From the end on, the count is 0. One bit of the amount says that the limit's warn-at was
 * reached in the window. It stays set when permits are given back, so that a window warns once.
 */
public final class FixedWindowMeter extends Meter {
  private static final long WARNED = 1L << 62; // above any count

  private final WindowEdges edges;
  private final long warnAt;

  FixedWindowMeter(Limit.FixedWindow limit) {
    super(limit);
    edges = WindowEdges.of(limit.window());
    warnAt = limit.warnAtPermits().orElse(Long.MAX_VALUE);
  }

  /** The begin and end of the window that contains this instant. */
  public Edges edgesAt(long now) {
    return edges.at(now);
  }

  @Override
  public void take(State state, long now, long permits) {
    if (now >= state.extra || state.amount == 0) { // 0: everything was given back
      state.set(Math.max(now, state.time), 0, edges.at(now).end());
    }
    state.time = Math.max(now, state.time);
    state.amount += permits;
    if (count(state) >= warnAt) {
      state.amount |= WARNED;
    }
  }

  private static long count(State state) {
    return state.amount & ~WARNED;
  }

  @Override
  public boolean warned(State state, long now) {
    return now < state.extra && (state.amount & WARNED) != 0;
  }

  /** Notes in a state that the limit's warn-at was reached. */
  public static void setWarned(State state) {
    state.amount |= WARNED;
  }

  @Override
  public boolean refund(State state, long now, long permits) {
    long used = used(state, now);
    if (used == 0) {
      return false; // nothing is written, so the time of the last write stays
    }
    state.amount = Math.max(0, used - permits) | (warned(state, now) ? WARNED : 0);
    state.time = Math.max(now, state.time);
    return true;
  }

  @Override
  public boolean refundGrant(State state, long now, long permits, long grantedAt) {
    return grantedAt >= edges.startOf(state.extra)
        && grantedAt <= Math.max(now, state.time)
        && refund(state, now, permits);
  }

  @Override
  public void bringBack(State state, long now) {
    long start = edges.startOf(state.extra);
    if (start - now > state.extra - start) {
      setUsed(state, now, state.amount);
    }
  }

  @Override
  public long resetAfter(State state, long now) {
    return used(state, now) == 0 ? 0 : state.extra - now;
  }

  @Override
  public long endsAt(State state) {
    return state.amount == 0 ? 0 : state.extra;
  }

  @Override
  long waitFor(State state, long now, long permits) {
    return state.extra - now;
  }

  @Override
  long used(State state, long now) {
    return now < state.extra ? count(state) : 0;
  }

  @Override
  void setUsed(State state, long at, long used) {
    state.set(at, used, edges.at(at).end());
  }

  /** The count moves to this limit's window at the time of the last write, and ends with it. */
  @Override
  void convert(State state, Meter writer) {
    if (writer instanceof FixedWindowMeter fixed) {
      Edges running = new Edges(fixed.edges.startOf(state.extra), state.extra);
      state.extra = edges.moved(running, state.time).end();
    } else {
      super.convert(state, writer);
    }
  }
}
