package dev.weir.internal.memory;

import dev.weir.StoreUnavailableException;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many records a store keeps, and clears away those that are as good as none.
 *
 * <p>There is no thread and no sweep of everything: each new record looks at a few others, and so
 * does, now and then, a decision on a known key. A cursor goes round all tables. When the store is
 * full, a sample is taken and its least used record makes room; a record with nothing left is never
 * dropped, because its key would start again with everything.
 */
final class KeyEvictor {
  private static final int STEPS_PER_ENTRY = 4;
  private static final int STEPS_PER_TICK = 64;
  private static final int SAMPLE = 16;
  private static final long TICK_MICROS = 10_000;

  private final long maxKeys;
  private final Collection<Table> tables;
  private final AtomicLong count = new AtomicLong();
  private final ReentrantLock cursorLock = new ReentrantLock();

  // Guarded by cursorLock.
  private @Nullable Iterator<Table> tableCursor;
  private @Nullable Table currentTable;
  private @Nullable Iterator<Map.Entry<String, LockedState>> recordCursor;

  private volatile long nextTickMicros;

  KeyEvictor(long maxKeys, Collection<Table> tables) {
    this.maxKeys = maxKeys;
    this.tables = tables;
  }

  long count() {
    return count.get();
  }

  /** Makes room for one more record and counts it. */
  void enter(long nowMicros) {
    if (cursorLock.tryLock()) { // a thread that finds it busy leaves the sweeping to the other
      try {
        sweep(STEPS_PER_ENTRY, nowMicros);
      } finally {
        cursorLock.unlock();
      }
    }
    while (!tryCount()) {
      makeRoom(nowMicros);
    }
  }

  void leave() {
    count.decrementAndGet();
  }

  /** Called by decisions on known keys; does something once per tick. */
  void tick(long nowMicros) {
    if (nowMicros >= nextTickMicros && cursorLock.tryLock()) {
      try {
        nextTickMicros = nowMicros + TICK_MICROS;
        sweep(STEPS_PER_TICK, nowMicros);
      } finally {
        cursorLock.unlock();
      }
    }
  }

  private boolean tryCount() {
    if (count.incrementAndGet() <= maxKeys) {
      return true;
    }
    count.decrementAndGet();
    return false;
  }

  private void sweep(int steps, long nowMicros) {
    if (currentTable != null && currentTable.shrinkIfSparse()) {
      recordCursor = currentTable.iterator();
    }
    long once = Math.min(steps, count.get()); // a small store is gone through once, not often
    for (int step = 0; step < once; step++) {
      Map.Entry<String, LockedState> entry = next();
      if (entry == null) {
        return;
      }
      dropIfFresh(entry, nowMicros);
    }
  }

  private boolean dropIfFresh(Map.Entry<String, LockedState> entry, long nowMicros) {
    LockedState record = entry.getValue();
    long guard = record.guard();
    boolean fresh = LockedState.isFree(guard) && record.meter.isFresh(record, nowMicros);
    if (fresh && record.tryHold(guard)) {
      table().drop(entry.getKey(), record);
      return true;
    }
    return false;
  }

  private void makeRoom(long nowMicros) {
    cursorLock.lock();
    try {
      Candidate least = null;
      for (int step = 0; step < SAMPLE; step++) {
        Map.Entry<String, LockedState> entry = next();
        if (entry == null || dropIfFresh(entry, nowMicros)) {
          return;
        }
        least = Candidate.lessUsed(least, Candidate.of(table(), entry, nowMicros));
      }
      if (least == null) {
        throw new StoreUnavailableException(
            "the memory store is full: all of a sample of its " + maxKeys + " keys are exhausted");
      }
      least.drop();
    } finally {
      cursorLock.unlock();
    }
  }

  /** The next record of all tables, round and round; null if there is none at all. */
  private Map.@Nullable Entry<String, LockedState> next() {
    for (int emptyTables = 0; emptyTables <= tables.size() + 1; emptyTables++) {
      if (recordCursor != null && recordCursor.hasNext()) {
        return recordCursor.next();
      }
      if (tableCursor == null || !tableCursor.hasNext()) {
        tableCursor = tables.iterator();
      }
      if (tableCursor.hasNext()) {
        currentTable = tableCursor.next();
        currentTable.shrinkIfSparse();
        recordCursor = currentTable.iterator();
      }
    }
    return null;
  }

  private Table table() {
    if (currentTable == null) {
      throw new IllegalStateException("the cursor has not started");
    }
    return currentTable;
  }

  /** A record that could make room, as it was seen. */
  private record Candidate(Table table, String key, LockedState record, long guard, double share) {
    /** Null for a record that is in use this instant, or that has nothing left. */
    static @Nullable Candidate of(
        Table table, Map.Entry<String, LockedState> entry, long nowMicros) {
      LockedState record = entry.getValue();
      long guard = record.guard();
      if (!LockedState.isFree(guard) || !record.tryHold(guard)) {
        return null;
      }
      long remaining = record.meter.remaining(record, nowMicros);
      double share = 1 - (double) remaining / record.meter.limit().capacity();
      record.release();
      return remaining == 0
          ? null
          : new Candidate(table, entry.getKey(), record, record.guard(), share);
    }

    static @Nullable Candidate lessUsed(@Nullable Candidate a, @Nullable Candidate b) {
      if (a == null || b == null) {
        return a == null ? b : a;
      }
      return b.share < a.share ? b : a;
    }

    void drop() {
      if (LockedState.isFree(guard) && record.tryHold(guard)) {
        table.drop(key, record);
      }
    }
  }
}
