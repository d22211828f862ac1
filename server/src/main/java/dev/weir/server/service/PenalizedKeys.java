package dev.weir.server.service;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Source;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The keys that penalties block, and until when, as far as this instance has seen; only the latest
 * are kept, to bound memory. Safe for many threads.
 */
final class PenalizedKeys {
  private static final int MAX_KEYS = 2000;

  private final LongSupplier nowMillis;
  private final Map<BlockedKeys.Key, Long> untilMillis =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<BlockedKeys.Key, Long> eldest) {
          return size() > MAX_KEYS;
        }
      };

  private volatile boolean empty = true;

  PenalizedKeys(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  /** Reads what a decision, which is no charge, says about blocks. */
  void decided(Decision decision) {
    for (Outcome outcome : decision.outcomes()) {
      if (outcome.source() == Source.PENALTY) {
        put(outcome);
      } else if (!empty && outcome.stateKnown() && outcome.policy().penalty().isPresent()) {
        remove(outcome.claim());
      }
    }
  }

  private synchronized void put(Outcome outcome) {
    Duration wait = outcome.retryAfter();
    BlockedKeys.Key key = BlockedKeys.Key.of(outcome.claim());
    untilMillis.remove(key); // so that it becomes the newest
    untilMillis.put(
        key,
        wait.equals(Decision.NEVER)
            ? BlockedKeys.FOREVER
            : nowMillis.getAsLong() + wait.toMillis());
    empty = false;
  }

  synchronized void remove(Claim claim) {
    untilMillis.remove(BlockedKeys.Key.of(claim));
    empty = untilMillis.isEmpty();
  }

  /** Until a blocked key can pass again; 0 if it is not blocked. */
  synchronized long leftMillis(BlockedKeys.Key key) {
    Long until = untilMillis.get(key);
    return until == null ? 0 : Math.max(0, until - nowMillis.getAsLong());
  }
}
