package dev.weir.server.service;

import dev.weir.Decision;
import dev.weir.DecisionListener;
import dev.weir.Outcome;
import dev.weir.spi.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;

/**
 * The keys that were denied most in the last minutes, in bounded memory. Safe for many threads.
 *
 * <p>There is a fixed number of counters, as in the Space-Saving algorithm: a key that has none
 * takes over a small one and goes on counting from there, so that a count is never too low, and how
 * much too high it may be is kept beside it. The small one is the least of a few picked at random:
 * the cost is constant in any flood, and a key that is denied more often than most keeps its
 * counter. Counts begin anew every five minutes; the five minutes before are shown, too.
 */
public final class TopDeniedKeys implements DecisionListener {
  private static final int STRIPES = 8;
  private static final int COUNTERS_PER_STRIPE = 512;
  private static final int PICKS = 8;
  private static final int LONGEST_KEY = 256;
  private static final long SPAN_MILLIS = 5 * 60_000L;

  private final Stripe[] stripes = new Stripe[STRIPES];

  public TopDeniedKeys(LongSupplier nowMillis) {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe(nowMillis, i);
    }
  }

  /**
   * A key that was denied.
   *
   * @param denials never too low
   * @param atMostTooHigh by how much {@code denials} may be too high
   */
  public record DeniedKey(BlockedKeys.Key key, long denials, long atMostTooHigh) {
    private DeniedKey plus(DeniedKey other) {
      return new DeniedKey(key, denials + other.denials, atMostTooHigh + other.atMostTooHigh);
    }
  }

  @Override
  public void decided(Operation operation, Decision decision) {
    if (!decision.allowed() && operation == Operation.ACQUIRE) {
      decision.denying().forEach(this::count);
    }
  }

  private void count(Outcome outcome) {
    String key = outcome.claim().key();
    String kept = key.length() <= LONGEST_KEY ? key : key.substring(0, LONGEST_KEY) + "...";
    BlockedKeys.Key counted =
        new BlockedKeys.Key(outcome.policy().rule(), outcome.policy().name(), kept);
    stripes[Math.floorMod(counted.hashCode(), STRIPES)].count(counted);
  }

  /** The most denied first. */
  public List<DeniedKey> top(int most) {
    Map<BlockedKeys.Key, DeniedKey> merged = new HashMap<>();
    for (Stripe stripe : stripes) {
      stripe
          .deniedKeys()
          .forEach(deniedKey -> merged.merge(deniedKey.key(), deniedKey, DeniedKey::plus));
    }
    return merged.values().stream()
        .sorted(Comparator.comparingLong(DeniedKey::denials).reversed())
        .limit(most)
        .toList();
  }

  /** One of several counts, so that threads seldom wait for each other. */
  private static final class Stripe {
    private final LongSupplier nowMillis;
    private final SplittableRandom random;
    private Map<BlockedKeys.Key, Counter> byKey = new HashMap<>();
    private List<Counter> counters = new ArrayList<>();
    private List<DeniedKey> before = List.of();
    private long endsMillis;

    Stripe(LongSupplier nowMillis, int seed) {
      this.nowMillis = nowMillis;
      this.random = new SplittableRandom(seed);
      this.endsMillis = nowMillis.getAsLong() + SPAN_MILLIS;
    }

    synchronized void count(BlockedKeys.Key key) {
      turn();
      Counter counter = byKey.get(key);
      if (counter == null) {
        counter = counters.size() < COUNTERS_PER_STRIPE ? fresh() : smallOfSome();
        byKey.remove(counter.key);
        counter.key = key;
        byKey.put(key, counter);
      }
      counter.denials++;
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
        least = other.denials < least.denials ? other : least;
      }
      least.tooHigh = least.denials;
      return least;
    }

    synchronized List<DeniedKey> deniedKeys() {
      turn();
      List<DeniedKey> all = new ArrayList<>(before);
      counters.forEach(counter -> all.add(counter.deniedKey()));
      return all;
    }

    private void turn() {
      long now = nowMillis.getAsLong();
      if (now < endsMillis) {
        return;
      }
      boolean recent = now < endsMillis + SPAN_MILLIS;
      before = recent ? counters.stream().map(Counter::deniedKey).toList() : List.of();
      counters = new ArrayList<>();
      byKey = new HashMap<>();
      endsMillis = now + SPAN_MILLIS;
    }
  }

  private static final class Counter {
    private BlockedKeys.Key key = new BlockedKeys.Key("", "", "");
    private long denials;
    private long tooHigh;

    DeniedKey deniedKey() {
      return new DeniedKey(key, denials, tooHigh);
    }
  }
}
