package dev.weir.internal.memory;

import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.Verdict;

/**
 * A held record as one limit reads it. If another limit wrote the record, the state is a copy, and
 * the record stays as it is until something is taken or given back.
 *
 * @param state the record itself, or what it is under the limit that reads it
 * @param endsAtMicros when the limit that wrote the record forgets it
 */
record ViewedState(LockedState record, State state, long endsAtMicros) {
  static ViewedState own(LockedState record) {
    return new ViewedState(record, record, Long.MAX_VALUE);
  }

  /** Makes a changed state the record's, written under this limit from now on. */
  ViewedState written(Meter meter) {
    if (state != record) {
      record.set(state.time, state.amount, state.extra);
    }
    record.meter = meter;
    return own(record);
  }

  Verdict verdict(Meter meter, long nowMicros, long permits, boolean fits) {
    return meter.verdict(state, nowMicros, permits, fits, endsAtMicros);
  }
}
