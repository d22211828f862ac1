package dev.weir.internal.memory;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A state that could be evicted, as it was when it was sampled.
 *
 * @param sequence that of the state when it was sampled; the state is dropped only if it is the
 *     same
 * @param used the part of its capacity that is in use, from 0 to 1
 */
record EvictionCandidate(
    StateTable table, String key, LockedState state, long sequence, double used) {

  /** Null if another thread holds the state, or if no permits remain in it. */
  static @Nullable EvictionCandidate of(
      StateTable table, Map.Entry<String, LockedState> entry, long nowMicros) {
    LockedState state = entry.getValue();
    long sequence = state.sequence();
    if (!LockedState.isFree(sequence) || !state.tryHold(sequence)) {
      return null;
    }
    long remaining = state.meter.remaining(state, nowMicros);
    double used = 1 - (double) remaining / state.meter.limit().capacity();
    state.releaseUnchanged();
    return remaining == 0
        ? null
        : new EvictionCandidate(table, entry.getKey(), state, sequence, used);
  }

  /** Drops the state unless it has been used since; returns whether it did. */
  boolean drop() {
    if (LockedState.isFree(sequence) && state.tryHold(sequence)) {
      table.drop(key, state);
      return true;
    }
    return false;
  }
}
