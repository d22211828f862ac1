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

  /** What this table is sure of, however much the others hold. */
  synchronized void guarantee(long newGuarantee) {
    joined = true;
    long before = beyond(units);
    guarantee = newGuarantee;
    budget.pool(beyond(units) - before);
  }

  private long beyond(long held) {
    return Math.max(0, held - guarantee);
  }

  /** Takes room; whether there was any. */
  boolean tryTake(long cost) {
    if (cost > MemoryBudget.WHOLE) {
      return false;
    }
    if (!joined) {
      budget.join(this); // without holding this: the budget changes all rooms
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

  /** Whether others must leave this table what it holds. */
  synchronized boolean isWithinGuarantee() {
    return units <= guarantee;
  }
}
