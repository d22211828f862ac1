package dev.weir.internal.memory;

import dev.weir.StoreUnavailableException;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds how many states a store keeps, and removes those that equal a fresh one.
 *
 * <p>There is no background thread and no full sweep. Each new state checks a few others; a
 * decision on a known key does so every few milliseconds. A cursor cycles through all tables. When
 * the store is full, it samples its largest table, or else the growing one, and evicts the least
 * used state of the sample. A table within its guarantee loses nothing to another. An exhausted
 * state is never evicted, because its key would start again with all its permits.
 */
final class KeyEvictor {
  private static final int STEPS_PER_ENTRY = 4;
  private static final int STEPS_PER_TICK = 64;
  private static final long TICK_MICROS = 10_000;

  private final MemoryBudget budget;
  private final MemoryPressure pressure;
  private final Collection<StateTable> tables;
  private final AtomicLong count = new AtomicLong();
  private final ReentrantLock cursorLock = new ReentrantLock();

  // Guarded by cursorLock.
  private @Nullable Iterator<StateTable> tableCursor;
  private @Nullable StateTable currentTable;
  private @Nullable Iterator<Map.Entry<String, LockedState>> stateCursor;

  private volatile @Nullable StateTable largest;
  private volatile long nextTickMicros;
  private volatile boolean closed;

  KeyEvictor(MemoryBudget budget, Collection<StateTable> tables) {
    this.budget = budget;
    this.pressure = new MemoryPressure(budget);
    this.tables = tables;
  }

  long count() {
    return count.get();
  }

  MemoryBudget budget() {
    return budget;
  }

  MemoryPressure pressure() {
    return pressure;
  }

  /** Refuses all new keys from now on. */
  void close() {
    closed = true;
  }

  void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the store is closed");
    }
  }

  /**
   * Makes room for one more state of a table and counts it.
   *
   * @param cost the units to take; given back when the state is removed
   * @throws StoreUnavailableException if there is no room
   */
  void enter(StateTable table, long cost, long nowMicros) {
    checkOpen();
    if (cursorLock.tryLock()) { // if another thread is sweeping, this one need not
      try {
        sweep(STEPS_PER_ENTRY, nowMicros);
      } finally {
        cursorLock.unlock();
      }
    }
    takeRoom(table, cost, nowMicros);
    count.incrementAndGet();
  }

  /**
   * Makes room for the growth of a state. A long log grows by a large step, for which a large part
   * of the store is not evicted.
   *
   * @throws StoreUnavailableException if there is no room
   */
  void grow(StateTable table, long cost, long nowMicros) {
    if (cost <= MemoryBudget.MAX_TO_EVICT) {
      takeRoom(table, cost, nowMicros);
    } else if (!table.room().tryTake(cost)) {
      throw refused("and the log of one key cannot grow", nowMicros);
    }
  }

  private void takeRoom(StateTable table, long cost, long nowMicros) {
    while (!table.room().tryTake(cost)) {
      if (cost > MemoryBudget.WHOLE) {
        throw refused("because it is too small for a single key", nowMicros);
      }
      makeRoom(table, nowMicros);
    }
  }

  private StoreUnavailableException refused(String why, long nowMicros) {
    pressure.refused(nowMicros);
    return new StoreUnavailableException("the memory store is full " + why);
  }

  void leave(StateTable table, long cost) {
    table.room().giveBack(cost);
    count.decrementAndGet();
  }

  /** Called when a table has grown, so that the largest one is known without a search. */
  void grown(StateTable table) {
    StateTable known = largest;
    if (known != table && (known == null || table.room().units() > known.room().units())) {
      largest = table; // a lost update is corrected by the next key
    }
  }

  /** Called by decisions on known keys; sweeps once per tick. */
  void tick(long nowMicros) {
    if (nowMicros >= nextTickMicros && cursorLock.tryLock()) {
      try {
        nextTickMicros = nowMicros + TICK_MICROS;
        sweep(STEPS_PER_TICK, nowMicros);
        pressure.endWarningIfOver(nowMicros);
      } finally {
        cursorLock.unlock();
      }
    }
  }

  private void sweep(int steps, long nowMicros) {
    if (currentTable != null && currentTable.shrinkIfSparse()) {
      stateCursor = currentTable.iterator();
    }
    long once = Math.min(steps, count.get()); // a small store is swept once, not repeatedly
    for (int step = 0; step < once; step++) {
      Map.Entry<String, LockedState> entry = next();
      if (entry == null || currentTable == null) {
        return;
      }
      dropIfFresh(currentTable, entry, nowMicros);
    }
  }

  private static boolean dropIfFresh(
      StateTable table, Map.Entry<String, LockedState> entry, long nowMicros) {
    LockedState state = entry.getValue();
    long sequence = state.sequence();
    boolean fresh = LockedState.isFree(sequence) && state.meter.isFresh(state, nowMicros);
    if (fresh && state.tryHold(sequence)) {
      table.drop(entry.getKey(), state);
      return true;
    }
    return false;
  }

  /**
   * Evicts from the largest table, which was probably filled by a flood of keys; else from the
   * growing one.
   */
  private void makeRoom(StateTable growing, long nowMicros) {
    cursorLock.lock();
    try {
      StateTable known = largest;
      StateTable first = known == null || known.room().isWithinGuarantee() ? growing : known;
      if (!makeRoomIn(first, nowMicros) && (first == growing || !makeRoomIn(growing, nowMicros))) {
        throw refused("(" + count + " keys) and every sampled key is exhausted", nowMicros);
      }
    } finally {
      cursorLock.unlock();
    }
  }

  private boolean makeRoomIn(StateTable table, long nowMicros) {
    int sample = table.candidates().sampleSize();
    for (int step = 0; step < sample; step++) {
      Map.Entry<String, LockedState> entry = table.nextSample();
      if (entry == null) {
        break; // the table is empty
      }
      if (dropIfFresh(table, entry, nowMicros)) {
        return true;
      }
      EvictionCandidate candidate = EvictionCandidate.of(table, entry, nowMicros);
      if (candidate != null) {
        table.candidates().add(candidate);
      }
    }
    return evictOne(table.candidates(), nowMicros);
  }

  private boolean evictOne(EvictionSample candidates, long nowMicros) {
    EvictionCandidate least = candidates.poll();
    while (least != null && !least.drop()) { // used or removed since it was sampled
      least = candidates.poll();
    }
    if (least != null) {
      pressure.forgot(nowMicros);
    }
    return least != null;
  }

  /** The next state, cycling through all tables; null if there is none at all. */
  private Map.@Nullable Entry<String, LockedState> next() {
    for (int emptyTables = 0; emptyTables <= tables.size() + 1; emptyTables++) {
      if (stateCursor != null && stateCursor.hasNext()) {
        return stateCursor.next();
      }
      if (tableCursor == null || !tableCursor.hasNext()) {
        tableCursor = tables.iterator();
      }
      if (tableCursor.hasNext()) {
        currentTable = tableCursor.next();
        currentTable.shrinkIfSparse();
        stateCursor = currentTable.iterator();
      }
    }
    return null;
  }
}
