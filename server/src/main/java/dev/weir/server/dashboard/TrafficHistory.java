package dev.weir.server.dashboard;

import java.util.Arrays;

/**
 * How many decisions of each kind were made: an hour by the second and a day by the minute, in two
 * rings of fixed size. Safe for many threads.
 */
public final class TrafficHistory {
  static final int SECONDS = 3600;
  static final int MINUTES = 24 * 60;

  private final Ring seconds = new Ring(SECONDS);
  private final Ring minutes = new Ring(MINUTES);
  private final long[] openMinute = new long[TrafficKind.COUNT];
  private long lastSecond;

  /**
   * @param nowSecond since 1970; the first counts are of the seconds after it
   */
  TrafficHistory(long nowSecond) {
    lastSecond = nowSecond;
    seconds.startAt(nowSecond);
    minutes.startAt(nowSecond / 60 - 1);
  }

  /** A part of a ring: the counts of each kind, from one slot on. */
  public record Slots(long first, long[][] counts) {}

  /**
   * Adds what was counted since the last call. A call that comes late is spread evenly over the
   * seconds it missed, so that a busy machine does not look like bursts of traffic.
   */
  synchronized void add(long nowSecond, long[] counts) {
    long elapsed = nowSecond - lastSecond;
    if (elapsed <= 0 || elapsed > SECONDS) { // the clock was set
      lastSecond = nowSecond;
      return;
    }
    long[] left = counts.clone();
    for (long ahead = elapsed; ahead > 0; ahead--) {
      long[] part = new long[TrafficKind.COUNT];
      for (int kind = 0; kind < part.length; kind++) {
        part[kind] = left[kind] / ahead;
        left[kind] -= part[kind];
      }
      addSecond(nowSecond - ahead + 1, part);
    }
    lastSecond = nowSecond;
  }

  private void addSecond(long second, long[] counts) {
    seconds.set(second, counts);
    for (int kind = 0; kind < counts.length; kind++) {
      openMinute[kind] += counts[kind];
    }
    if (second % 60 == 59) {
      minutes.set(second / 60, openMinute);
      Arrays.fill(openMinute, 0);
    }
  }

  /** The seconds after the given one, at most the last hour. */
  public synchronized Slots secondsAfter(long second) {
    return seconds.after(second);
  }

  /** The whole minutes of the last day. */
  public synchronized Slots minutes() {
    return minutes.after(0);
  }

  /** How many of each kind per second, as the mean of the last seconds. */
  public synchronized double[] rates(int overSeconds) {
    Slots slots = seconds.after(lastSecond - overSeconds);
    return Arrays.stream(slots.counts)
        .mapToDouble(counts -> Arrays.stream(counts).average().orElse(0))
        .toArray();
  }

  /** The slots of one resolution; the number of a slot is its time in that unit since 1970. */
  private static final class Ring {
    private final int[][] counts;
    private final int size;
    private long start;
    private long last;

    Ring(int size) {
      this.size = size;
      this.counts = new int[TrafficKind.COUNT][size];
    }

    /** Slots up to this one are before the beginning. */
    void startAt(long slot) {
      start = slot;
      last = slot;
    }

    void set(long slot, long[] values) {
      for (long missed = Math.max(last + 1, slot - size + 1); missed < slot; missed++) {
        for (int[] kind : counts) {
          kind[(int) (missed % size)] = 0;
        }
      }
      for (int kind = 0; kind < values.length; kind++) {
        counts[kind][(int) (slot % size)] = (int) Math.min(values[kind], Integer.MAX_VALUE);
      }
      last = slot;
    }

    Slots after(long slot) {
      long first = Math.max(Math.max(slot, start), last - size) + 1;
      int length = (int) Math.max(0, last - first + 1);
      long[][] values = new long[TrafficKind.COUNT][length];
      for (int kind = 0; kind < values.length; kind++) {
        for (int i = 0; i < length; i++) {
          values[kind][i] = counts[kind][(int) ((first + i) % size)];
        }
      }
      return new Slots(first, values);
    }
  }
}
