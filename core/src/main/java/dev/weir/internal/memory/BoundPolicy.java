package dev.weir.internal.memory;

import dev.weir.TimeSource;
import dev.weir.internal.BoundedKey;
import dev.weir.internal.arithmetic.InFlightMeter;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.SlidingLogMeter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdict;
import java.util.Optional;
import java.util.UUID;

/** One policy with its table and meter, and the fast path for a single claim. */
final class BoundPolicy implements SingleLimitFastPath {
  private static final int TRIES_BEFORE_HOLDING = 64;

  final StateTable table;
  final Meter meter;

  private final KeyEvictor evictor;
  private final TimeSource time;
  private final Meter.Form form;

  BoundPolicy(StateTable table, Meter meter, KeyEvictor evictor, TimeSource time) {
    this.table = table;
    this.meter = meter;
    this.evictor = evictor;
    this.time = time;
    this.form = meter.form();
  }

  /**
   * Reads the state without locking it, decides, and writes only if nothing has changed since. A
   * denial writes nothing, so keys over their limit cause no contention.
   */
  @Override
  public boolean tryAcquire(String key, long permits) {
    long now = time.nowMicros();
    evictor.tick(now);
    for (int tries = 1; ; tries++) {
      LockedState state = table.find(key);
      long sequence = state == null ? 0 : state.sequence(); // noted before anything else is read
      if (state == null || mustHold(state, tries)) {
        return decideHeld(key, permits, now).fits();
      }
      if (LockedState.isFree(sequence)) {
        if (!meter.fits(state, now, permits)) {
          if (state.isUnchanged(sequence)) {
            return false;
          }
        } else if (state.tryHold(sequence)) {
          meter.take(state, now, permits);
          state.release();
          return true;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** As {@link #tryAcquire}, on a copy of the state, from which the verdict is computed. */
  @Override
  public Verdict decide(String key, long permits) {
    long now = time.nowMicros();
    evictor.tick(now);
    for (int tries = 1; ; tries++) {
      LockedState state = table.find(key);
      long sequence = state == null ? 0 : state.sequence();
      if (state == null || mustHold(state, tries)) {
        return decideHeld(key, permits, now);
      }
      if (LockedState.isFree(sequence)) {
        State copy = state.copy();
        boolean fits = meter.fits(copy, now, permits);
        boolean warned = meter.warned(copy, now);
        if (fits) {
          meter.take(copy, now, permits);
        }
        if (fits ? state.tryReplace(sequence, copy) : state.isUnchanged(sequence)) {
          return meter
              .verdict(copy, now, permits, fits)
              .withFirstWarning(!warned && meter.warned(copy, now));
        }
      }
      Thread.onSpinWait();
    }
  }

  /**
   * Whether the state must be locked to be read: logs, slots, states that another limit wrote, and
   * contended states.
   */
  private boolean mustHold(LockedState state, int tries) {
    return form != Meter.Form.NUMBERS || state.meter != meter || tries % TRIES_BEFORE_HOLDING == 0;
  }

  /**
   * Decides under the lock; also used for a key that has no state yet. The time is read after the
   * state is in the table. With an earlier time, other threads could use up a window that ends and
   * is dropped meanwhile, and permits taken at the old time would count in neither window.
   */
  private Verdict decideHeld(String anyKey, long permits, long askedAt) {
    String key = BoundedKey.of(anyKey); // a long key is never found by the fast path
    LockedState held = table.hold(key, meter, askedAt);
    long now = time.nowMicros(); // read under the lock: the state has no later time
    try {
      ViewedState viewed = view(held, now);
      boolean fits = meter.fits(viewed.state(), now, permits);
      boolean warned = meter.warned(viewed.state(), now);
      if (fits && permits > 0) {
        reserve(key, held, now);
        meter.take(viewed.state(), now, permits);
        viewed = viewed.written(meter);
      }
      return viewed
          .verdict(meter, now, permits, fits)
          .withFirstWarning(!warned && meter.warned(viewed.state(), now));
    } finally {
      table.release(key, held, now);
    }
  }

  /**
   * Reserves memory for one more admission in a log, or one more holder of slots.
   *
   * @throws dev.weir.StoreUnavailableException if there is no room
   */
  void reserve(String key, LockedState held, long now) {
    if (held instanceof LockedState.LockedLogState log
        && meter instanceof SlidingLogMeter logMeter) {
      table.reserve(key, log, logMeter.roomToTake(log, now), now);
    } else if (held instanceof LockedState.LockedHeldState slots
        && meter instanceof InFlightMeter slotMeter) {
      table.reserve(key, slots, slotMeter.roomToTake(slots), now);
    }
  }

  /**
   * Takes permits that fit.
   *
   * @param holder of the slots, where requests in flight are limited
   */
  void take(State state, long now, long permits, Optional<UUID> holder) {
    if (meter instanceof InFlightMeter slots) {
      slots.take(state, now, permits, holder.orElseGet(UUID::randomUUID));
    } else {
      meter.take(state, now, permits);
    }
  }

  /** A held state as this policy's limit reads it. Any change made here is invisible to callers. */
  ViewedState view(LockedState held, long now) {
    Meter writer = held.meter;
    if (form == Meter.Form.SLOTS || writer.limit().equals(meter.limit())) {
      held.meter = meter;
      return ViewedState.own(held);
    }
    if (form == Meter.Form.NUMBERS) {
      return new ViewedState(held, meter.view(held, writer, now), writer.endsAt(held));
    }
    if (writer.isFresh(held, now)) { // its entries have expired
      LockedState.forget(held);
      return ViewedState.own(held);
    }
    return new ViewedState(held, held, writer.endsAt(held));
  }

  /**
   * A held state as one limit reads it. If another limit wrote the state, {@code state} is a
   * converted copy, and the held one stays as it is until permits are taken or given back.
   *
   * @param state the held state itself, or its conversion to the limit that reads it
   * @param endsAtMicros when the state expires under the limit that wrote it
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
}
