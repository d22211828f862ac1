package dev.weir.benchmarks;

import dev.weir.benchmarks.library.Supply;

/** What the contenders are asked to do. */
public enum Workload {
  HOT_KEY("hot key, 1 thread", "hotKey", 1, Supply.AMPLE),
  HOT_KEY_CONTENDED("hot key, 2 threads", "hotKey", 2, Supply.AMPLE),
  MANY_KEYS("100,000 keys", "manyKeys", 1, Supply.AMPLE),
  DENIED("denied, 1 thread", "hotKey", 1, Supply.SINGLE),
  DENIED_CONTENDED("denied, 2 threads", "hotKey", 2, Supply.SINGLE);

  final String title;
  final String method;
  final int threads;
  final Supply supply;

  Workload(String title, String method, int threads, Supply supply) {
    this.title = title;
    this.method = method;
    this.threads = threads;
    this.supply = supply;
  }
}
