package dev.weir.internal.memory;

import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.Verdict;

/**
 * A held state as one limit reads it. If another limit wrote the state, {@code state} is a
 * converted copy, and the held one stays as it is until permits are taken or given back.
 *
 * @param state the held state itself, or its conversion to the limit that reads it
 * @param endsAtMicros when the state has expired under the limit that wrote it
 */
record ViewedState(LockedState held, State state, long endsAtMicros) {
  static ViewedState own(LockedState held) {
    return new ViewedState(held, held, Long.MAX_VALUE);
  }

  /** Writes a changed state back, as written under this limit. */
  ViewedState written(Meter meter) {
    if (state != held) {
      held.set(state.time, state.amount, state.extra);
    }
    held.meter = meter;
    return own(held);
  }

  Verdict verdict(Meter meter, long nowMicros, long permits, boolean fits) {
    return meter.verdict(state, nowMicros, permits, fits, endsAtMicros);
  }

  /** The answer for a charge. */
  Verdict chargeVerdict(Meter meter, long nowMicros, long permits) {
    return meter.chargeVerdict(state, nowMicros, permits, endsAtMicros);
  }
}
