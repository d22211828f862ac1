package dev.weir.internal.guard;

import dev.weir.Claim;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the changes of keys, to tell whether one happened while an answer was under way. Keys
 * share counters: a change may be seen where there was none, and is never missed. Safe for many
 * threads.
 */
final class KeyVersions {
  private static final int COUNTERS = 1024;

  private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

  /** Changes whenever the version of one of the keys does, because versions only grow. */
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
