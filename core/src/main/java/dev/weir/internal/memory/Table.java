package dev.weir.internal.memory;

import dev.weir.internal.arithmetic.Meter;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The records of one policy name, by key. Safe for many threads. */
final class Table {
  private final ConcurrentHashMap<String, Record> records = new ConcurrentHashMap<>();
  private final Room room;

  Table(Room room) {
    this.room = room;
  }

  @Nullable Record find(String key) {
    return records.get(key);
  }

  /**
   * Puts a record under a key that has none.
   *
   * @return whether it did; false if another thread was quicker
   * @throws dev.weir.StoreUnavailableException if there is no room
   */
  boolean insert(String key, Record record, long nowMicros) {
    room.enter(nowMicros);
    boolean inserted = false;
    try {
      inserted = records.putIfAbsent(key, record) == null;
    } finally {
      if (!inserted) {
        room.leave();
      }
    }
    return inserted;
  }

  /** The record of a key, held by the caller; a fresh one if there was none. */
  Record hold(String key, Meter meter, long nowMicros) {
    while (true) {
      Record record = records.get(key);
      if (record == null) {
        Record fresh = Record.heldOf(meter);
        if (insert(key, fresh, nowMicros)) {
          return fresh;
        }
      } else if (record.hold()) {
        return record;
      } else {
        Thread.onSpinWait(); // dead: the thread that killed it is about to take it out
      }
    }
  }

  /** Takes a held record out of the table. */
  void drop(String key, Record held) {
    held.kill();
    records.remove(key, held);
    room.leave();
  }

  /** Releases a held record, or drops it if it is as good as none. */
  void release(String key, Record held, long nowMicros) {
    if (held.meter.isFresh(held, nowMicros)) {
      drop(key, held);
    } else {
      held.release();
    }
  }

  Iterator<Map.Entry<String, Record>> iterator() {
    return records.entrySet().iterator();
  }

  void clear() {
    records.forEach(
        (key, record) -> {
          if (record.hold()) {
            drop(key, record);
          }
        });
  }
}
