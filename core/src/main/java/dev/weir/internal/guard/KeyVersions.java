package dev.weir.internal.guard;

import dev.weir.Claim;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the changes of keys, to detect a change while an answer was under way. Keys share
 * counters, so a key may seem to have changed that has not; a change is never missed. Safe for many
 * threads.
 */
final class KeyVersions {
  private static final int COUNTERS = 1024;

  private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

  /** The sum of the versions: it changes with each of them, because versions only grow. */
  long of(List<Claim> claims) {
    long sum = 0;
    for (Claim claim : claims) {
      sum += counters.get(counterOf(claim));
    }
    return sum;
  }

  void increment(List<Claim> claims) {
    claims.forEach(claim -> counters.incrementAndGet(counterOf(claim)));
  }

  private static int counterOf(Claim claim) {
    int hash = claim.key().hashCode() * 31 + claim.policy().name().hashCode();
    return (hash ^ hash >>> 16) & COUNTERS - 1;
  }
}
