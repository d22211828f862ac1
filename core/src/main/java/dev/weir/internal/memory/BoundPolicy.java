package dev.weir.internal.memory;

import dev.weir.TimeSource;
import dev.weir.internal.BoundedKey;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.SingleLimitFastPath;
import dev.weir.spi.Verdict;

/** One policy's table and arithmetic, and the quick way through them for a single claim. */
final class BoundPolicy implements SingleLimitFastPath {
  private static final int TRIES_BEFORE_HOLDING = 64;

  final StateTable table;
  final Meter meter;

  private final KeyEvictor evictor;
  private final TimeSource time;
  private final boolean ofLog;

  BoundPolicy(StateTable table, Meter meter, KeyEvictor evictor, TimeSource time) {
    this.table = table;
    this.meter = meter;
    this.evictor = evictor;
    this.time = time;
    this.ofLog = meter.keepsLog();
  }

  /**
   * Reads the state without holding it, decides, and writes only if nothing has changed since: a
   * denial writes nothing at all, so keys that are over their limit cost no contention.
   */
  @Override
  public boolean tryAcquire(String anyKey, long permits) {
    String key = BoundedKey.of(anyKey);
    long now = time.nowMicros();
    evictor.tick(now);
    for (int tries = 1; ; tries++) {
      LockedState record = table.find(key);
      long guard = record == null ? 0 : record.guard(); // noted before anything else is read
      if (record == null || mustHold(record, tries)) {
        return decideHeld(key, permits, now).fits();
      }
      if (LockedState.isFree(guard)) {
        if (!meter.fits(record, now, permits)) {
          if (record.isUnchanged(guard)) {
            return false;
          }
        } else if (record.tryHold(guard)) {
          meter.take(record, now, permits);
          record.release();
          return true;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** The same way, on a copy of the state, from which the verdict is read afterwards. */
  @Override
  public Verdict decide(String anyKey, long permits) {
    String key = BoundedKey.of(anyKey);
    long now = time.nowMicros();
    evictor.tick(now);
    for (int tries = 1; ; tries++) {
      LockedState record = table.find(key);
      long guard = record == null ? 0 : record.guard();
      if (record == null || mustHold(record, tries)) {
        return decideHeld(key, permits, now);
      }
      if (LockedState.isFree(guard)) {
        State state = record.copy();
        boolean fits = meter.fits(state, now, permits);
        if (fits) {
          meter.take(state, now, permits);
        }
        if (fits ? record.tryReplace(guard, state) : record.isUnchanged(guard)) {
          return meter.verdict(state, now, permits, fits);
        }
      }
      Thread.onSpinWait();
    }
  }

  /** A log, a record of another limit, and one that is fought over are held while they are read. */
  private boolean mustHold(LockedState record, int tries) {
    return ofLog || record.meter != meter || tries % TRIES_BEFORE_HOLDING == 0;
  }

  /**
   * A key without a record comes here too. If its time were read before the record is in the table,
   * others could use up a window, see it end and the key forgotten, and permits taken at the old
   * time would count in neither window.
   */
  private Verdict decideHeld(String key, long permits, long askedAt) {
    LockedState record = table.hold(key, meter, askedAt);
    long now = time.nowMicros(); // read while holding: no later time is in the record
    try {
      ViewedState viewed = view(record, now);
      boolean fits = meter.fits(viewed.state(), now, permits);
      if (fits && permits > 0) {
        meter.take(viewed.state(), now, permits);
        viewed = viewed.written(meter);
      }
      return viewed.verdict(meter, now, permits, fits);
    } finally {
      table.release(key, record, now);
    }
  }

  /** A held record as this policy's limit reads it, which changes nothing that can be observed. */
  ViewedState view(LockedState held, long now) {
    Meter writer = held.meter;
    if (writer.limit().equals(meter.limit())) {
      held.meter = meter;
      return ViewedState.own(held);
    }
    if (!ofLog) {
      return new ViewedState(held, meter.view(held, writer, now), writer.endsAt(held));
    }
    if (writer.isFresh(held, now)) { // its entries count for nobody any more
      LockedState.forget(held);
      return ViewedState.own(held);
    }
    return new ViewedState(held, held, writer.endsAt(held));
  }
}
