package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;

/**
 * A sliding log: an admission counts until it is exactly one window old.
 *
 * <p>State: the entries of a {@link LogState}; {@code time} is that of the newest entry.
 */
public final class SlidingLogMeter extends Meter {
  private final long window;

  SlidingLogMeter(Limit.SlidingLog limit) {
    super(limit);
    window = Micros.of(limit.period());
  }

  @Override
  public void take(State state, long now, long permits) {
    long at = Math.max(now, state.time);
    entries(state).dropUntil(at - window);
    entries(state).append(at, permits);
    state.time = at;
  }

  /** How many entries a log needs room for once more permits are taken. */
  public int roomToTake(LogState state, long now) {
    long at = Math.max(now, ((State) state).time);
    return state.entries().roomToAppend(at, at - window);
  }

  @Override
  public boolean refund(State state, long now, long permits) {
    if (used(state, now) == 0) {
      return false;
    }
    entries(state).dropUntil(Math.max(now, state.time) - window);
    entries(state).creditOldest(permits);
    followNewest(state);
    return true;
  }

  @Override
  public boolean refundGrant(State state, long now, long permits, long grantedAt) {
    if (grantedAt <= Math.max(now, state.time) - window
        || !entries(state).creditAt(grantedAt, permits)) {
      return false;
    }
    followNewest(state);
    return true;
  }

  @Override
  public void bringBack(State state, long now) {
    throw new IllegalStateException("the script of a log brings it back by itself");
  }

  @Override
  public long resetAfter(State state, long now) {
    return entries(state).isEmpty() ? 0 : Math.max(0, state.time + window - now);
  }

  /**
   * The answer for a log that is kept elsewhere, from its state after the question.
   *
   * @param newest the time of the newest entry; of no meaning if nothing is used
   * @param frees the time of the entry whose expiry makes a denied claim fit
   * @param endsAt when the log expires under the limit that wrote it
   */
  public Verdict verdict(
      long now, long permits, boolean fits, long used, long newest, long frees, long endsAt) {
    long wait = Math.min(frees + window, endsAt) - now;
    return new Verdict(
        fits && used > 0 ? Math.max(now, newest) : now,
        fits,
        Math.max(0, capacity - used),
        fits ? 0 : permits > capacity ? Micros.NEVER : wait,
        used == 0 ? 0 : Math.max(0, Math.min(newest + window, endsAt) - now));
  }

  public long window() {
    return window;
  }

  /** How many of these permits a charge takes while this much is in use. */
  public long charged(long permits, long used, boolean debt) {
    return Math.min(permits, Math.max(0, (debt ? mostUsed : capacity) - used));
  }

  @Override
  public long endsAt(State state) {
    return entries(state).isEmpty() ? 0 : state.time + window;
  }

  @Override
  long waitFor(State state, long now, long permits) {
    return entries(state).timeLeaving(capacity - permits) + window - now;
  }

  @Override
  long used(State state, long now) {
    return entries(state).costAfter(Math.max(now, state.time) - window);
  }

  @Override
  void setUsed(State state, long at, long used) {
    throw new IllegalStateException("a sliding log never takes over another limit's state");
  }

  /** Entries mean the same under any limit and window. */
  @Override
  void convert(State state, Meter writer) {}

  private static LogEntries entries(State state) {
    return ((LogState) state).entries();
  }

  private static void followNewest(State state) {
    LogEntries entries = entries(state);
    state.time = entries.isEmpty() ? 0 : entries.newestTime();
  }
}
