package dev.weir.server.service;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The keys that were counted most in the last minutes, in bounded memory. Safe for many threads.
 *
 * <p>There is a fixed number of counters, as in the Space-Saving algorithm: a key that has none
 * takes over a small one and goes on counting from there, so that a count is never too low, and how
 * much too high it may be is kept beside it. The small one is the least of a few picked at random:
 * the cost is constant in any flood, and a key that is counted more often than most keeps its
 * counter. Counts begin anew every five minutes; the five minutes before are shown, too.
 */
public final class KeySketch {
  private static final int STRIPES = 8;
  private static final int COUNTERS_PER_STRIPE = 512;
  private static final int PICKS = 8;
  private static final int LONGEST_KEY = 256;
  private static final long SPAN_MILLIS = 5 * 60_000L;

  private final Stripe[] stripes = new Stripe[STRIPES];

  public KeySketch(LongSupplier nowMillis) {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(nowMillis, i);
    }
  }

  /**
   * A key that was counted.
   *
   * @param count never too low
   * @param atMostTooHigh by how much {@code count} may be too high
   */
  public record CountedKey(BlockedKeys.Key key, long count, long atMostTooHigh) {
    private CountedKey plus(CountedKey other) {
      return new CountedKey(key, count + other.count, atMostTooHigh + other.atMostTooHigh);
    }
  }

  /** Counts a key; a long one is cut. */
  public void add(BlockedKeys.Key key, int times) {
    BlockedKeys.Key counted =
        key.key().length() <= LONGEST_KEY
            ? key
            : new BlockedKeys.Key(
                key.rule(), key.limit(), key.key().substring(0, LONGEST_KEY) + "...");
    stripes[Math.floorMod(counted.hashCode(), STRIPES)].count(counted, times);
  }

  /** The most counted first. */
  public List<CountedKey> top(int most) {
    Map<BlockedKeys.Key, CountedKey> merged = new HashMap<>();
    for (Stripe stripe : stripes) {
      stripe
          .countedKeys()
          .forEach(countedKey -> merged.merge(countedKey.key(), countedKey, CountedKey::plus));
    }
    return merged.values().stream()
        .sorted(Comparator.comparingLong(CountedKey::count).reversed())
        .limit(most)
        .toList();
  }

  /** One of several independent sketches, so that threads seldom contend for a lock. */
  private static final class Stripe {
    private final LongSupplier nowMillis;
    private final SplittableRandom random;
    private Map<BlockedKeys.Key, Counter> byKey = new HashMap<>();
    private List<Counter> counters = new ArrayList<>();
    private List<CountedKey> before = List.of();
    private long endsMillis;

    Stripe(LongSupplier nowMillis, int seed) {
      this.nowMillis = nowMillis;
      this.random = new SplittableRandom(seed);
      this.endsMillis = nowMillis.getAsLong() + SPAN_MILLIS;
    }

    synchronized void count(BlockedKeys.Key key, int times) {
      turn();
      Counter counter = byKey.get(key);
      if (counter == null) {
        counter = counters.size() < COUNTERS_PER_STRIPE ? fresh() : smallOfSome();
        byKey.remove(counter.key);
        counter.key = key;
        byKey.put(key, counter);
      }
      counter.count += times;
    }

    private Counter fresh() {
      Counter counter = new Counter();
      counters.add(counter);
      return counter;
    }

    private Counter smallOfSome() {
      Counter least = counters.get(random.nextInt(counters.size()));
      for (int i = 1; i < PICKS; i++) {
        Counter other = counters.get(random.nextInt(counters.size()));
        least = other.count < least.count ? other : least;
      }
      least.tooHigh = least.count;
      return least;
    }

    synchronized List<CountedKey> countedKeys() {
      turn();
      List<CountedKey> all = new ArrayList<>(before);
      counters.forEach(counter -> all.add(counter.countedKey()));
      return all;
    }

    private void turn() {
      long now = nowMillis.getAsLong();
      if (now < endsMillis) {
        return;
      }
      boolean recent = now < endsMillis + SPAN_MILLIS;
      before = recent ? counters.stream().map(Counter::countedKey).toList() : List.of();
      counters = new ArrayList<>();
      byKey = new HashMap<>();
      endsMillis = now + SPAN_MILLIS;
    }
  }

  private static final class Counter {
    private BlockedKeys.Key key = new BlockedKeys.Key("", "", "");
    private long count;
    private long tooHigh;

    CountedKey countedKey() {
      return new CountedKey(key, count, tooHigh);
    }
  }
}
