package dev.weir.internal.memory;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record that could make room, as it was seen.
 *
 * @param guard of the record when it was seen: it is dropped only if nothing has changed since
 * @param used the part of its capacity that is in use, from 0 to 1
 */
record EvictionCandidate(
    StateTable table, String key, LockedState record, long guard, double used) {

  /** Null for a record that is in use this instant, or that has nothing left. */
  static @Nullable EvictionCandidate of(
      StateTable table, Map.Entry<String, LockedState> entry, long nowMicros) {
    LockedState record = entry.getValue();
    long guard = record.guard();
    if (!LockedState.isFree(guard) || !record.tryHold(guard)) {
      return null;
    }
    long remaining = record.meter.remaining(record, nowMicros);
    double used = 1 - (double) remaining / record.meter.limit().capacity();
    record.release();
    return remaining == 0
        ? null
        : new EvictionCandidate(table, entry.getKey(), record, record.guard(), used);
  }

  static @Nullable EvictionCandidate lessUsed(
      @Nullable EvictionCandidate a, @Nullable EvictionCandidate b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return b.used < a.used ? b : a;
  }

  /** Whether it was dropped; not if it has been used since it was seen. */
  boolean drop() {
    if (LockedState.isFree(guard) && record.tryHold(guard)) {
      table.drop(key, record);
      return true;
    }
    return false;
  }
}
