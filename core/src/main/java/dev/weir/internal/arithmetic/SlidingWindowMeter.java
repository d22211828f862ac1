package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.Micros;

/**
 * A sliding window made of two counters.
 *
 * <p>Windows of length W are aligned to the clock. At {@code e} into the current window the
 * previous one still overlaps by W - e, so it counts for {@code ceil(previous * (W - e) / W)}. With
 * 5 per 10 s and 5 used in the window before, 2 s into the new one ceil(5 * 8 / 10) = 4 still
 * count: one fits.
 *
 * <p>State: {@code time} where the current window began, {@code amount} its count, {@code extra}
 * the previous window's count.
 */
final class SlidingWindowMeter extends Meter {
  private final long window;

  SlidingWindowMeter(Limit.SlidingWindow limit) {
    super(limit);
    window = Micros.of(limit.period());
  }

  @Override
  public void take(State state, long now, long permits) {
    roll(state, now);
    state.amount += permits;
  }

  @Override
  public void charge(State state, long now, long permits) {
    roll(state, now);
    state.amount += Math.min(permits, Math.max(0, mostUsed - used(state, now)));
  }

  @Override
  public void refund(State state, long now, long permits) {
    roll(state, now);
    state.amount = Math.max(0, state.amount - permits);
  }

  @Override
  public void refundGrant(State state, long now, long permits, long grantedAt) {
    roll(state, now);
    long grantWindow = grantedAt - Math.floorMod(grantedAt, window);
    if (grantWindow == state.time) {
      state.amount = Math.max(0, state.amount - permits);
    } else if (grantWindow == state.time - window) {
      state.extra = Math.max(0, state.extra - permits);
    }
  }

  @Override
  public void bringBack(State state, long now) {
    if (state.time > now) {
      long both = Math.min(state.amount + state.extra, capacity);
      setUsed(state, now, Math.max(state.amount, both));
    }
  }

  @Override
  public long resetAfter(State state, long now) {
    long left = start(state, now) + window - now;
    if (current(state, now) > 0) {
      return left + window;
    }
    return previous(state, now) > 0 ? left : 0;
  }

  @Override
  long used(State state, long now) {
    long previous = previous(state, now);
    long current = current(state, now);
    return previous == 0 ? current : current + weighted(previous, elapsed(state, now));
  }

  @Override
  void setUsed(State state, long at, long used) {
    state.set(alignedStart(at), used, 0);
  }

  @Override
  public void convert(State state, Meter from, long now) {
    if (!(from instanceof SlidingWindowMeter other) || other.window != window) {
      super.convert(state, from, now);
    }
  }

  /**
   * While the current count leaves room, the wait is for the previous window to lose weight; when
   * it does not, it becomes the previous window and must lose weight itself.
   */
  @Override
  long waitFor(State state, long now, long permits) {
    long current = current(state, now);
    long ahead = start(state, now) + window - now; // to the end of the current window
    long room = capacity - permits;
    if (current <= room) {
      return ahead - MulDiv.floor(room - current, window, previous(state, now));
    }
    return ahead + window - MulDiv.floor(room, window, current);
  }

  private long weighted(long previous, long elapsed) {
    return MulDiv.ceil(previous, window - elapsed, window);
  }

  /** Moves the state into the window of now. */
  private void roll(State state, long now) {
    state.set(start(state, now), current(state, now), previous(state, now));
  }

  private long start(State state, long now) {
    long ahead = now - state.time;
    if (ahead < window) {
      return state.time;
    }
    return ahead < 2 * window ? state.time + window : alignedStart(now);
  }

  private long current(State state, long now) {
    return now - state.time < window ? state.amount : 0;
  }

  private long previous(State state, long now) {
    long ahead = now - state.time;
    if (ahead < window) {
      return state.extra;
    }
    return ahead < 2 * window ? state.amount : 0;
  }

  private long elapsed(State state, long now) {
    return Math.max(0, now - start(state, now));
  }

  private long alignedStart(long now) {
    return now - Math.floorMod(now, window);
  }
}
