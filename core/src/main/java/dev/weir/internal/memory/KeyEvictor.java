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
 * <p>There is no background thread and no full sweep: each new state checks a few others, and so
 * does, every few milliseconds, a decision on a known key. A cursor goes round all tables. When the
 * store is full, it samples its largest table and evicts the least used state of the sample. An
 * exhausted state is never evicted, because its key would start again with all its permits.
 */
final class KeyEvictor {
  private static final int STEPS_PER_ENTRY = 4;
  private static final int STEPS_PER_TICK = 64;
  private static final int SAMPLE = 16;
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
   * @return what the key costs, to be given back when it leaves
   * @throws StoreUnavailableException if there is no room
   */
  long enter(StateTable table, String key, long nowMicros) {
    checkOpen();
    if (cursorLock.tryLock()) { // if another thread is sweeping, this one need not
      try {
        sweep(STEPS_PER_ENTRY, nowMicros);
      } finally {
        cursorLock.unlock();
      }
    }
    long cost = budget.cost(key);
    while (!budget.tryTake(cost, table.units(), tables.size())) {
      makeRoom(table, nowMicros);
    }
    count.incrementAndGet();
    return cost;
  }

  long costOf(String key) {
    return budget.cost(key);
  }

  void leave(long cost) {
    budget.giveBack(cost);
    count.decrementAndGet();
  }

  /** Called when a table has grown, so that the largest one is known without a search. */
  void grown(StateTable table) {
    StateTable known = largest;
    if (known != table && (known == null || table.units() > known.units())) {
      largest = table; // a lost update is corrected by the next key
    }
  }

  /** Called by decisions on known keys; sweeps once per tick. */
  void tick(long nowMicros) {
    if (nowMicros >= nextTickMicros && cursorLock.tryLock()) {
      try {
        nextTickMicros = nowMicros + TICK_MICROS;
        sweep(STEPS_PER_TICK, nowMicros);
        pressure.look(nowMicros);
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
    long guard = state.guard();
    boolean fresh = LockedState.isFree(guard) && state.meter.isFresh(state, nowMicros);
    if (fresh && state.tryHold(guard)) {
      table.drop(entry.getKey(), state);
      return true;
    }
    return false;
  }

  /**
   * Evicts from the largest table, which a flood has probably filled; else from the growing one.
   */
  private void makeRoom(StateTable growing, long nowMicros) {
    cursorLock.lock();
    try {
      StateTable first = largest == null ? growing : largest;
      if (!makeRoomIn(first, nowMicros) && (first == growing || !makeRoomIn(growing, nowMicros))) {
        pressure.refused(nowMicros);
        throw new StoreUnavailableException(
            "the memory store is full: all of a sample of its " + count + " keys are exhausted");
      }
    } finally {
      cursorLock.unlock();
    }
  }

  private boolean makeRoomIn(StateTable table, long nowMicros) {
    EvictionCandidate least = null;
    for (int step = 0; step < SAMPLE; step++) {
      Map.Entry<String, LockedState> entry = table.nextSample();
      if (entry == null) {
        break; // the table is empty
      }
      if (dropIfFresh(table, entry, nowMicros)) {
        return true;
      }
      least = EvictionCandidate.lessUsed(least, EvictionCandidate.of(table, entry, nowMicros));
    }
    if (least != null && least.drop()) {
      pressure.forgot(nowMicros);
    }
    return least != null;
  }

  /** The next state of all tables, round and round; null if there is none at all. */
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
