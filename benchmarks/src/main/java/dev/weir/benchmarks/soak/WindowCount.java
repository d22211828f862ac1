package dev.weir.benchmarks.soak;

/**
 * What was admitted in one window of one kind. Safe for many threads.
 *
 * <p>An answer that was under way at the edge may count in the window before or after it: it is
 * left out where too much would be wrong, and counted in both where too little would be.
 */
final class WindowCount {
  private long byStore;
  private long byStoreAtEdge;
  private long byShare;

  synchronized void add(Answer answer) {
    if (answer.isFallback()) {
      byShare += answer.inOneWindow() ? 1 : 0;
    } else if (answer.inOneWindow()) {
      byStore++;
    } else {
      byStoreAtEdge++;
    }
  }

  /** Admitted by Redis in this window and no other. */
  synchronized long byStore() {
    return byStore;
  }

  /** Admitted by Redis in this window or one next to it. */
  synchronized long byStoreAtMost() {
    return byStore + byStoreAtEdge;
  }

  /** Admitted by policy, or by the shares of all instances. */
  synchronized long byShare() {
    return byShare;
  }
}
