package dev.weir.internal.memory;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How much memory a memory store may use, and which tables may use it. Safe for many threads.
 *
 * <p>Room is counted in units; the whole store has {@link #WHOLE} of them. A key costs its share of
 * {@code maxKeys}, or the share of its bytes in {@code maxBytes} if that is more. So one number
 * enforces both bounds.
 *
 * <p>A flood of one policy's keys must not take the room of the others. So half of the room for
 * keys is divided evenly between the tables that ever held a key: this is the guarantee of each.
 * Room beyond the guarantee comes from the other half, the pool, first come, first served. Example:
 * with two tables and {@code maxKeys} of 10,000, each is guaranteed 2,500 keys, and one alone can
 * hold 7,500.
 *
 * <p>An eighth of all bytes is a reserve for tables that are created when others already fill the
 * store. Tables that hold no more than their part of the reserve may use it.
 */
final class MemoryBudget {
  static final long WHOLE = 1L << 52; // small enough for the sum over thousands of threads

  /** The most that may be evicted for the growth of one state. */
  static final long MAX_TO_EVICT = WHOLE / 64;

  private static final long RESERVE = WHOLE / 8;
  private static final long FOR_KEYS = WHOLE - RESERVE;
  private static final long POOL = FOR_KEYS / 2;

  /** A state, its entry and slot in the map, and a string's own header, on a 64-bit JVM. */
  private static final int BYTES_BESIDE_TEXT = 136;

  private final long maxKeys;
  private final long maxBytes;
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong pooled = new AtomicLong();
  private final Set<TableBudget> rooms = new HashSet<>(); // guarded by this
  private int divided; // guarded by this

  private volatile long guarantee;
  private volatile long reservePart;

  MemoryBudget(long maxKeys, long maxBytes) {
    this.maxKeys = maxKeys;
    this.maxBytes = maxBytes;
  }

  /** Divides the room anew, with a table that is about to hold its first key. */
  synchronized void join(TableBudget room) {
    if (rooms.contains(room)) {
      return; // another thread has added it
    }
    rooms.add(room);
    reservePart = RESERVE / rooms.size();
    if (rooms.size() > divided + divided / 8) { // with many tables, not for each new one
      divided = rooms.size();
      guarantee = FOR_KEYS / 2 / divided;
      rooms.forEach(each -> each.guarantee(guarantee));
    } else {
      room.guarantee(guarantee);
    }
  }

  /**
   * The cost of a key and its state in units; always the same for the same key and bytes.
   *
   * @param stateBytes what the state takes beyond three numbers
   */
  long cost(String key, long stateBytes) {
    long bytes = textBytes(key) + BYTES_BESIDE_TEXT + stateBytes;
    return bytes > maxBytes
        ? 2 * WHOLE // never fits
        : Math.max(FOR_KEYS / maxKeys, WHOLE / maxBytes * bytes);
  }

  private static int textBytes(String key) {
    return isLatin(key) ? key.length() : 2 * key.length();
  }

  private static boolean isLatin(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) > 0xFF) {
        return false;
      }
    }
    return true;
  }

  /**
   * Takes room for a table; false if there is none.
   *
   * @param units what the table would hold afterwards
   * @param beyond the part of the cost that exceeds the table's guarantee
   */
  boolean tryTake(long cost, long units, long beyond) {
    long sum = taken.addAndGet(cost);
    long sumPooled = pooled.addAndGet(beyond);
    boolean fits =
        sum <= FOR_KEYS && (beyond == 0 || sumPooled <= POOL)
            || sum <= WHOLE && units <= reservePart;
    if (!fits) {
      giveBack(cost, beyond);
    }
    return fits;
  }

  void giveBack(long cost, long beyond) {
    taken.addAndGet(-cost);
    pooled.addAndGet(-beyond);
  }

  /** Called when a table's guarantee has changed, and so the part of its room from the pool. */
  void pool(long more) {
    pooled.addAndGet(more);
  }

  /** 1 if there is no room for keys beyond the guarantees of other tables. */
  double fill() {
    return Math.max((double) taken.get() / FOR_KEYS, (double) pooled.get() / POOL);
  }

  @Override
  public String toString() {
    return maxKeys + " keys, " + (maxBytes >> 20) + " MiB";
  }
}
