package dev.weir.server.dashboard;

import dev.weir.Claim;
import dev.weir.server.service.BlockedKeys;
import dev.weir.server.service.KeySketch;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * The keys that ask most often, in bounded memory and at a bounded cost. Safe for many threads.
 *
 * <p>Up to a few thousand claims per second, every claim is counted. Above that, one of 2, 4, 8 …
 * is sampled at random and weighted accordingly, so the cost stays bounded in a flood.
 */
public final class BusyKeys {
  private static final int COUNTED_PER_SECOND = 4096;

  private final KeySketch keys;
  private final LongAdder claims = new LongAdder();
  private volatile int oneOf = 1;

  BusyKeys(LongSupplier nowMillis) {
    keys = new KeySketch(nowMillis);
  }

  void count(Claim claim) {
    claims.increment();
    int weight = oneOf;
    if (weight == 1 || ThreadLocalRandom.current().nextInt(weight) == 0) {
      keys.add(BlockedKeys.Key.of(claim), weight);
    }
  }

  void tick() {
    long perSecond = claims.sumThenReset();
    oneOf = Integer.highestOneBit((int) Math.max(1, 2 * (perSecond - 1) / COUNTED_PER_SECOND));
  }

  /** The busiest first, of the last five to ten minutes. */
  public List<KeySketch.CountedKey> top(int most) {
    return keys.top(most);
  }
}
