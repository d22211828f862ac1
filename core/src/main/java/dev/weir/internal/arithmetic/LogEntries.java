package dev.weir.internal.arithmetic;

import java.util.Arrays;

/**
 * Admissions in the order of their times: a ring of (time, running total).
 *
 * <p>With running totals, the cost of any range is one subtraction, and both questions to a log,
 * what still counts and when enough has expired, are binary searches. Admissions of one instant
 * expire together, so they share an entry. Not safe for many threads.
 */
public final class LogEntries {
  /** The capacity of an empty log, in entries. */
  public static final int SMALLEST = 4;

  /** The size of one entry: a time and a total. */
  public static final int BYTES_PER_ENTRY = 2 * Long.BYTES;

  private long[] times = new long[SMALLEST];
  private long[] totals = new long[SMALLEST];
  private int head;
  private int size;

  /** The running total just before the oldest entry. */
  private long before;

  boolean isEmpty() {
    return size == 0;
  }

  long newestTime() {
    return times[slot(size - 1)];
  }

  /** The cost of all entries made after this time. */
  long costAfter(long time) {
    return size == 0 ? 0 : lastTotal() - totalBefore(firstAfter(time));
  }

  /** Time of the entry whose expiry leaves at most {@code cost} permits in use. */
  long timeLeaving(long cost) {
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (lastTotal() - totals[slot(middle)] <= cost) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return times[slot(low)];
  }

  /** The number of entries that memory is allocated for. */
  public int room() {
    return times.length;
  }

  /** The {@link #room} after {@link #dropUntil} one time and {@link #append} at another. */
  int roomToAppend(long time, long expired) {
    int kept = size - firstAfter(expired);
    return kept > 0 && newestTime() == time ? times.length : roomWith(kept);
  }

  private int roomWith(int entries) {
    boolean unfit = entries == times.length || entries < times.length / 4;
    return unfit ? Math.max(SMALLEST, 2 * entries) : times.length;
  }

  void append(long time, long cost) {
    if (size > 0 && newestTime() == time) {
      totals[slot(size - 1)] += cost;
      return;
    }
    int room = roomWith(size);
    if (room != times.length) {
      resize(room);
    }
    long total = size == 0 ? before : lastTotal();
    size++;
    times[slot(size - 1)] = time;
    totals[slot(size - 1)] = total + cost;
  }

  /** Forgets all entries made at this time or earlier. */
  void dropUntil(long time) {
    int gone = firstAfter(time);
    before = totalBefore(gone);
    head = slot(gone);
    size -= gone;
  }

  /** Subtracts this cost from the oldest entries. */
  void creditOldest(long cost) {
    long spared = Math.min(cost, size == 0 ? 0 : lastTotal() - before);
    before += spared;
    while (size > 0 && totals[head] - before <= 0) { // totals may wrap
      head = slot(1);
      size--;
    }
  }

  /** Subtracts up to this cost from the entry of this very time; false if there is none. */
  boolean creditAt(long time, long cost) {
    int index = firstAfter(time - 1);
    if (index == size || times[slot(index)] != time) {
      return false;
    }
    long spared = Math.min(cost, totals[slot(index)] - totalBefore(index));
    for (int later = index; later < size; later++) {
      totals[slot(later)] -= spared;
    }
    if (totals[slot(index)] == totalBefore(index)) {
      remove(index);
    }
    return true;
  }

  public void clear() {
    head = 0;
    size = 0;
    before = 0;
  }

  private void remove(int index) {
    for (int later = index + 1; later < size; later++) {
      times[slot(later - 1)] = times[slot(later)];
      totals[slot(later - 1)] = totals[slot(later)];
    }
    size--;
  }

  private long lastTotal() {
    return totals[slot(size - 1)];
  }

  private long totalBefore(int index) {
    return index == 0 ? before : totals[slot(index - 1)];
  }

  private int firstAfter(long time) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (times[slot(middle)] > time) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private int slot(int index) {
    int slot = head + index;
    return slot < times.length ? slot : slot - times.length;
  }

  private void resize(int length) {
    times = unrolled(times, length);
    totals = unrolled(totals, length);
    head = 0;
  }

  private long[] unrolled(long[] ring, int length) {
    long[] copy = Arrays.copyOfRange(ring, head, head + length);
    int tail = ring.length - head;
    if (size > tail) {
      System.arraycopy(ring, 0, copy, tail, size - tail);
    }
    return copy;
  }
}
