package dev.weir.internal.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory a memory store may use, and which tables may use it. Safe for many threads.
 *
 * <p>Room is counted in units, {@link #WHOLE} of which are the whole store. A key costs the share
 * that one of {@code maxKeys} has, or the share its bytes have of {@code maxBytes}, whichever is
 * more; so one number holds both bounds.
 *
 * <p>A flood of one policy's keys must not take the room of the others. So there is an eighth more,
 * divided evenly, for tables that hold no more than their part of it: a table with few keys finds
 * room however many the largest table holds.
 */
final class MemoryBudget {
  static final long WHOLE = 1L << 60;
  private static final long RESERVE = WHOLE / 8;

  /** A state, its entry and slot in the map, and a string's own header, on a 64-bit JVM. */
  private static final int BYTES_BESIDE_TEXT = 136;

  private final long maxKeys;
  private final long maxBytes;
  private final AtomicLong taken = new AtomicLong();

  MemoryBudget(long maxKeys, long maxBytes) {
    this.maxKeys = maxKeys;
    this.maxBytes = maxBytes;
  }

  /** What a key costs; always the same for the same key. */
  long cost(String key) {
    return Math.max(WHOLE / maxKeys, WHOLE / maxBytes * bytes(key));
  }

  private static int bytes(String key) {
    return BYTES_BESIDE_TEXT + (isLatin(key) ? key.length() : 2 * key.length());
  }

  private static boolean isLatin(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) > 0xFF) {
        return false;
      }
    }
    return true;
  }

  /** Takes room for a key of this cost in a table that holds so much; whether there was any. */
  boolean tryTake(long cost, long heldByTable, int tables) {
    long sum = taken.addAndGet(cost);
    boolean fits =
        sum <= WHOLE
            || sum <= WHOLE + RESERVE && heldByTable + cost <= RESERVE / Math.max(1, tables);
    if (!fits) {
      taken.addAndGet(-cost);
    }
    return fits;
  }

  double fill() {
    return (double) taken.get() / WHOLE;
  }

  void giveBack(long cost) {
    taken.addAndGet(-cost);
  }

  @Override
  public String toString() {
    return maxKeys + " keys, " + (maxBytes >> 20) + " MiB";
  }
}
