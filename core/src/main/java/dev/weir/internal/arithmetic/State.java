package dev.weir.internal.arithmetic;

/**
 * What a key has used of one limit, in three numbers whose meaning each {@link Meter} states. All
 * zero means fresh.
 *
 * <p>Not safe for many threads; the store that owns it locks.
 */
public class State {
  /** The time that the other two numbers refer to, in microseconds since 1970. */
  public long time;

  public long amount;
  public long extra;

  public final void set(long newTime, long newAmount, long newExtra) {
    time = newTime;
    amount = newAmount;
    extra = newExtra;
  }

  public final void clear() {
    set(0, 0, 0);
  }

  public final State copy() {
    State copy = new State();
    copy.set(time, amount, extra);
    return copy;
  }
}
