package dev.weir.internal.memory;

import dev.weir.TimeSource;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.DirectPath;
import org.jspecify.annotations.Nullable;

/** One policy's table and arithmetic, and the quick way through them for a single claim. */
final class Binding implements DirectPath {
  /** Read only, and so shared; a sliding log never comes here. */
  private static final State FRESH = new State();

  final Table table;
  final Meter meter;

  private final Room room;
  private final TimeSource time;
  private final boolean ofLog;

  Binding(Table table, Meter meter, Room room, TimeSource time) {
    this.table = table;
    this.meter = meter;
    this.room = room;
    this.time = time;
    this.ofLog = meter.keepsLog();
  }

  /**
   * Reads the state without holding it, decides, and writes only if nothing has changed since: a
   * denial writes nothing at all, so keys that are over their limit cost no contention.
   */
  @Override
  public boolean tryAcquire(String key, long permits) {
    long now = time.nowMicros();
    room.tick(now);
    while (true) {
      Record record = table.find(key);
      if (record == null) {
        Boolean answer = insertTaken(key, permits, now);
        if (answer != null) {
          return answer;
        }
        continue;
      }
      long guard = record.guard();
      if (!Record.isFree(guard) || record.meter != meter || ofLog) {
        return tryAcquireHeld(key, permits);
      }
      boolean fits = meter.fits(record, now, permits);
      if (!fits || permits == 0) {
        if (record.isUnchanged(guard)) {
          return fits;
        }
      } else if (record.tryHold(guard)) {
        meter.take(record, now, permits);
        record.release();
        return true;
      }
      Thread.onSpinWait();
    }
  }

  /** Null if another thread has put a record there first. */
  private @Nullable Boolean insertTaken(String key, long permits, long now) {
    if (ofLog) {
      return tryAcquireHeld(key, permits);
    }
    boolean fits = meter.fits(FRESH, now, permits);
    if (!fits || permits == 0) {
      return fits;
    }
    Record record = Record.of(meter);
    meter.take(record, now, permits);
    return table.insert(key, record, now) ? true : null;
  }

  private boolean tryAcquireHeld(String key, long permits) {
    Record record = table.hold(key, meter, time.nowMicros());
    long now = time.nowMicros(); // read while holding: no later time is in the record
    try {
      adopt(record, now);
      boolean fits = meter.fits(record, now, permits);
      if (fits && permits > 0) {
        meter.take(record, now, permits);
      }
      return fits;
    } finally {
      table.release(key, record, now);
    }
  }

  /** Rewrites a held record for this policy's limit, if it was written under another one. */
  void adopt(Record held, long now) {
    if (held.meter != meter) {
      if (!held.meter.limit().equals(meter.limit())) {
        meter.convert(held, held.meter, now);
      }
      held.meter = meter;
    }
  }
}
