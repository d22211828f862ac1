package dev.weir.internal.memory;

import dev.weir.TimeSource;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.DirectPath;

/** One policy's table and arithmetic, and the quick way through them for a single claim. */
final class Binding implements DirectPath {
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
        boolean fits = permits <= meter.limit().capacity(); // the key is fresh
        return fits && permits > 0 ? tryAcquireHeld(key, permits, now) : fits;
      }
      long guard = record.guard();
      if (!Record.isFree(guard) || record.meter != meter || ofLog) {
        return tryAcquireHeld(key, permits, now);
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

  /**
   * A key without a record comes here too. If the time were read before the record is in its table,
   * others could use up a window, see it end and the key forgotten, and permits taken at the old
   * time would count in neither window.
   */
  private boolean tryAcquireHeld(String key, long permits, long askedAt) {
    Record record = table.hold(key, meter, askedAt);
    long now = time.nowMicros(); // read while holding: no later time is in the record
    try {
      if (permits == 0) {
        return meter.fits(view(record, now), now, 0);
      }
      adopt(record, now);
      boolean fits = meter.fits(record, now, permits);
      if (fits) {
        meter.take(record, now, permits);
      }
      return fits;
    } finally {
      table.release(key, record, now);
    }
  }

  /** A held record as this policy's limit sees it; the record stays as it is. */
  State view(Record held, long now) {
    if (ofLog || held.meter.limit().equals(meter.limit())) {
      return held; // a log's entries mean the same under any limit
    }
    State copy = held.copy();
    meter.convert(copy, held.meter, now);
    return copy;
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
