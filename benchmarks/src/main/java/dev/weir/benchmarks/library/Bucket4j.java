package dev.weir.benchmarks.library;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Bucket4j's local bucket. */
public final class Bucket4j implements Library {
  private static final Duration DAY = Duration.ofDays(1);
  private static final long AMPLE = 1_000_000_000_000L;
  private static final long AMPLE_REFILL = 1_000_000_000L;

  @Override
  public Gate one(Supply supply) {
    Bucket bucket = bucket(supply);
    return key -> bucket.tryConsume(1);
  }

  @Override
  public Gate keyed(Supply supply, List<String> keys) {
    Map<String, Bucket> byKey = Library.map(keys, key -> bucket(supply));
    return key -> byKey.get(key).tryConsume(1);
  }

  @Override
  public String setting() {
    return "Bucket.tryConsume; lock-free, greedy refill, the clock in milliseconds (its default)";
  }

  private static Bucket bucket(Supply supply) {
    long capacity = supply == Supply.AMPLE ? AMPLE : 1;
    long refill = supply == Supply.AMPLE ? AMPLE_REFILL : 1;
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(capacity).refillGreedy(refill, DAY))
        .withSynchronizationStrategy(SynchronizationStrategy.LOCK_FREE)
        .build();
  }
}
