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
 * <p>State: {@code time} is the last write, and its window the current one; {@code amount} is the
 * count of the current window, {@code extra} that of the previous one.
 */
final class SlidingWindowMeter extends Meter {
  private final long window;

  /** 2^63 / window. */
  private final long inverse;

  SlidingWindowMeter(Limit.SlidingWindow limit) {
    super(limit);
    window = Micros.of(limit.period());
    inverse = Long.MAX_VALUE / window;
  }

  @Override
  public void take(State state, long now, long permits) {
    roll(state, now);
    state.amount += permits;
  }

  @Override
  public boolean refund(State state, long now, long permits) {
    if (current(state, now) == 0) {
      return false;
    }
    roll(state, now);
    state.amount = Math.max(0, state.amount - permits);
    return true;
  }

  @Override
  public boolean refundGrant(State state, long now, long permits, long grantedAt) {
    long age = Math.max(now, state.time) - grantedAt;
    if (grantedAt > Math.max(now, state.time) || age < 0 || age > 2 * window) {
      return false;
    }
    long windowsAgo = (start(state, now) - alignedStart(grantedAt)) / window;
    if (windowsAgo == 0) {
      return refund(state, now, permits);
    }
    return windowsAgo == 1 && refundPrevious(state, now, permits);
  }

  private boolean refundPrevious(State state, long now, long permits) {
    if (previous(state, now) == 0) {
      return false;
    }
    roll(state, now);
    state.extra = Math.max(0, state.extra - permits);
    return true;
  }

  @Override
  public void bringBack(State state, long now) {
    if (alignedStart(state.time) > now) {
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
  public long endsAt(State state) {
    if (state.amount == 0 && state.extra == 0) {
      return 0;
    }
    return alignedStart(state.time) + (state.amount > 0 ? 2 * window : window);
  }

  @Override
  long used(State state, long now) {
    long elapsed = now - alignedStart(state.time);
    if (elapsed < window) {
      return state.amount + weighted(state.extra, Math.max(0, elapsed));
    }
    return elapsed < 2 * window ? weighted(state.amount, elapsed - window) : 0;
  }

  @Override
  void setUsed(State state, long at, long used) {
    state.set(at, used, 0);
  }

  @Override
  void convert(State state, Meter writer) {
    if (!(writer instanceof SlidingWindowMeter other) || other.window != window) {
      super.convert(state, writer);
    }
  }

  /**
   * If the current count leaves room, the claim fits once the previous window has lost enough
   * weight. If not, the current window must become the previous one and lose weight itself.
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
    return previous == 0 ? 0 : MulDiv.ceil(previous, window - elapsed, window);
  }

  /** Moves the state into the window of now. */
  private void roll(State state, long now) {
    long ahead = now - alignedStart(state.time);
    if (ahead >= window) {
      state.set(now, 0, ahead < 2 * window ? state.amount : 0);
    }
    state.time = Math.max(now, state.time);
  }

  private long start(State state, long now) {
    long start = alignedStart(state.time);
    return now - start < window ? start : alignedStart(now);
  }

  private long current(State state, long now) {
    return now - alignedStart(state.time) < window ? state.amount : 0;
  }

  private long previous(State state, long now) {
    long ahead = now - alignedStart(state.time);
    if (ahead < window) {
      return state.extra;
    }
    return ahead < 2 * window ? state.amount : 0;
  }

  /**
   * The begin of the window that contains this time. The division is a multiplication by the
   * inverse of the window, which is faster; its quotient is exact or one too small.
   */
  private long alignedStart(long time) {
    if (time < 0) {
      return time - Math.floorMod(time, window);
    }
    long start = Math.multiplyHigh(time << 1, inverse) * window;
    return time - start < window ? start : start + window;
  }
}
