package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.arithmetic.WindowEdges.Edges;

/**
 * A counter that starts again with every window.
 *
 * <p>State: {@code time} where the window began, {@code amount} its count, {@code extra} where it
 * ends. From its end on, the count is 0.
 */
public final class FixedWindowMeter extends Meter {
  private final WindowEdges edges;

  FixedWindowMeter(Limit.FixedWindow limit) {
    super(limit);
    edges = WindowEdges.of(limit.window());
  }

  /** Where the window that holds this instant begins and ends. */
  public Edges edgesAt(long now) {
    return edges.at(now);
  }

  @Override
  public void take(State state, long now, long permits) {
    open(state, now);
    state.amount += permits;
  }

  @Override
  public void charge(State state, long now, long permits) {
    open(state, now);
    state.amount += Math.min(permits, Math.max(0, mostUsed - state.amount));
  }

  @Override
  public void refund(State state, long now, long permits) {
    state.amount = Math.max(0, used(state, now) - permits);
  }

  @Override
  public void refundGrant(State state, long now, long permits, long grantedAt) {
    if (grantedAt >= state.time && grantedAt < state.extra) {
      refund(state, now, permits);
    }
  }

  @Override
  public void bringBack(State state, long now) {
    if (state.time - now > state.extra - state.time) {
      setUsed(state, now, state.amount);
    }
  }

  @Override
  public long resetAfter(State state, long now) {
    return used(state, now) == 0 ? 0 : state.extra - now;
  }

  @Override
  long waitFor(State state, long now, long permits) {
    return state.extra - now;
  }

  @Override
  long used(State state, long now) {
    return now < state.extra ? state.amount : 0;
  }

  @Override
  void setUsed(State state, long at, long used) {
    Edges window = edges.at(at);
    state.set(window.start(), used, window.end());
  }

  /** What was counted belongs to this limit's own window of now, and is forgotten with that. */
  @Override
  public void convert(State state, Meter from, long now) {
    if (from instanceof FixedWindowMeter && used(state, now) > 0) {
      Edges window = edges.moved(new Edges(state.time, state.extra), Math.max(now, state.time));
      state.set(window.start(), state.amount, window.end());
    } else {
      super.convert(state, from, now);
    }
  }

  private void open(State state, long now) {
    if (now >= state.extra) {
      Edges window = edges.at(now);
      state.set(window.start(), 0, window.end());
    }
  }
}
