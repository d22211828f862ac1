package dev.weir.benchmarks.library;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The least that a keyed limiter in Java does: read the clock, find the key, swap one number.
 *
 * <p>The number is the time from which on the key is free again, so a denial writes nothing.
 */
public final class Floor implements Library {
  private static final String ONLY_KEY = "user-0";

  @Override
  public Gate one(Supply supply) {
    return keyed(supply, List.of(ONLY_KEY));
  }

  @Override
  public Gate keyed(Supply supply, List<String> keys) {
    long heldNanos = supply == Supply.SINGLE ? TimeUnit.DAYS.toNanos(1) : 0;
    Map<String, AtomicLong> byKey = Library.map(keys, key -> new AtomicLong(System.nanoTime()));
    return key -> {
      long now = System.nanoTime();
      AtomicLong freeAt = byKey.get(key);
      long seen = freeAt.get();
      return now - seen >= 0 && freeAt.compareAndSet(seen, now + heldNanos);
    };
  }

  @Override
  public String setting() {
    return "System.nanoTime, ConcurrentHashMap.get and one compareAndSet; no limit is computed";
  }
}
