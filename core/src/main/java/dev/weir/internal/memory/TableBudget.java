package dev.weir.internal.memory;

/** The room that one table has of a {@link MemoryBudget}. Safe for many threads. */
final class TableBudget {
  private final MemoryBudget budget;
  private long guarantee; // guarded by this, as the writes of units are
  private volatile boolean joined;
  private volatile long units;

  TableBudget(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Sets the room that this table can always have, however much the others hold. */
  synchronized void guarantee(long newGuarantee) {
    joined = true;
    long before = beyond(units);
    guarantee = newGuarantee;
    budget.pool(beyond(units) - before);
  }

  private long beyond(long held) {
    return Math.max(0, held - guarantee);
  }

  /** Takes room; false if there is none. */
  boolean tryTake(long cost) {
    if (cost > MemoryBudget.WHOLE) {
      return false;
    }
    if (!joined) {
      budget.join(this); // not synchronized on this: the budget changes all tables
    }
    return tryTakeJoined(cost);
  }

  private synchronized boolean tryTakeJoined(long cost) {
    long after = units + cost;
    if (!budget.tryTake(cost, after, beyond(after) - beyond(units))) {
      return false;
    }
    units = after;
    return true;
  }

  synchronized void giveBack(long cost) {
    long after = units - cost;
    budget.giveBack(cost, beyond(units) - beyond(after));
    units = after;
  }

  /** How much of the store's room this table holds. */
  long units() {
    return units;
  }

  /** Whether this table holds no more than its guarantee, so that others cannot evict from it. */
  synchronized boolean isWithinGuarantee() {
    return units <= guarantee;
  }
}
