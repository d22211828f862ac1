package dev.weir.internal.memory;

import dev.weir.internal.arithmetic.Meter;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * The states of one policy name, by key. Safe for many threads.
 *
 * <p>A ConcurrentHashMap never shrinks: after a flood of keys, iterating over it takes as long as
 * if they were still there. So a map that has become sparse is replaced by a smaller one with the
 * same states. Keys are added and removed under the read lock, and the map is replaced under the
 * write lock; a lookup takes no lock.
 */
final class StateTable {
  private static final long WORTH_SHRINKING = 4096;
  private static final int SPARSE = 8;

  private final KeyEvictor evictor;
  private final Lock changing;
  private final Lock replacing;
  private final AtomicLong size = new AtomicLong();
  private final TableBudget room;

  private volatile ConcurrentHashMap<String, LockedState> states = new ConcurrentHashMap<>();
  private volatile long largestSize;
  private @Nullable EvictionSample candidates; // of the evictor alone
  private @Nullable Iterator<Map.Entry<String, LockedState>> samples; // of the evictor alone

  StateTable(KeyEvictor evictor) {
    this.evictor = evictor;
    this.room = new TableBudget(evictor.budget());
    ReadWriteLock lock = new ReentrantReadWriteLock();
    changing = lock.readLock();
    replacing = lock.writeLock();
  }

  @Nullable LockedState find(String key) {
    return states.get(key);
  }

  /**
   * Puts a state under a key that has none.
   *
   * @return false if another thread has put one
   * @throws dev.weir.StoreUnavailableException if there is no room
   */
  private boolean insert(String key, LockedState state, long nowMicros) {
    long cost = cost(key, state);
    evictor.enter(this, cost, nowMicros);
    changing.lock();
    boolean inserted = false;
    try {
      inserted = states.putIfAbsent(key, state) == null;
    } finally {
      changing.unlock();
      if (!inserted) {
        evictor.leave(this, cost);
      }
    }
    if (inserted) {
      largestSize = Math.max(largestSize, size.incrementAndGet());
      evictor.grown(this);
    }
    return inserted;
  }

  /** The state of a key, held by the caller; a fresh one if there was none. */
  LockedState hold(String key, Meter meter, long nowMicros) {
    while (true) {
      LockedState state = states.get(key);
      if (state == null) {
        LockedState fresh = LockedState.heldOf(meter);
        if (insert(key, fresh, nowMicros)) {
          return fresh;
        }
      } else if (state.hold()) {
        return state;
      } else {
        Thread.onSpinWait(); // dead: the thread that marked it is about to remove it
      }
    }
  }

  /** Takes a held state out of the table. */
  void drop(String key, LockedState held) {
    changing.lock();
    try {
      held.kill();
      states.remove(key, held);
    } finally {
      changing.unlock();
    }
    size.decrementAndGet();
    evictor.leave(this, cost(key, held));
  }

  private long cost(String key, LockedState state) {
    return evictor.budget().cost(key, state.countedBytes());
  }

  /**
   * Takes room for the growth of a held state, before it grows.
   *
   * @throws dev.weir.StoreUnavailableException if there is no room
   */
  void reserve(String key, LockedState held, int entries, long nowMicros) {
    if (held.countedBytes() < held.bytesOf(entries)) {
      long more = evictor.budget().cost(key, held.bytesOf(entries)) - cost(key, held);
      evictor.grow(this, more, nowMicros);
      held.count(entries);
      evictor.grown(this);
    }
  }

  /** Gives back room that was taken for a held state and is not allocated. */
  private void giveBackUnused(String key, LockedState held) {
    int entries = held.room();
    if (held.bytesOf(entries) < held.countedBytes()) {
      long before = cost(key, held);
      held.count(entries);
      room.giveBack(before - cost(key, held));
    }
  }

  /** Releases a held state, or drops it if it equals a fresh one. */
  void release(String key, LockedState held, long nowMicros) {
    if (held.meter.isFresh(held, nowMicros)) {
      drop(key, held);
      return;
    }
    giveBackUnused(key, held);
    held.release();
  }

  /** Replaces the map by a smaller one if most of it is empty; returns whether it did. */
  boolean shrinkIfSparse() {
    if (largestSize < WORTH_SHRINKING || size.get() > largestSize / SPARSE) {
      return false;
    }
    replacing.lock();
    try {
      states = new ConcurrentHashMap<>(states);
      samples = null;
      largestSize = size.get();
    } finally {
      replacing.unlock();
    }
    return true;
  }

  TableBudget room() {
    return room;
  }

  /** The largest size the map has had, which is what iterating over it costs. */
  long largestSize() {
    return largestSize;
  }

  /** The next state, cycling through all; null if there is none. For one thread at a time. */
  Map.@Nullable Entry<String, LockedState> nextSample() {
    if (samples == null || !samples.hasNext()) {
      samples = iterator();
    }
    return samples.hasNext() ? samples.next() : null;
  }

  /** For one thread at a time. */
  EvictionSample candidates() {
    if (candidates == null) {
      candidates = new EvictionSample(); // most tables never need them
    }
    return candidates;
  }

  Iterator<Map.Entry<String, LockedState>> iterator() {
    return states.entrySet().iterator();
  }

  void clear() {
    states.forEach(
        (key, state) -> {
          if (state.hold()) {
            drop(key, state);
          }
        });
  }
}
