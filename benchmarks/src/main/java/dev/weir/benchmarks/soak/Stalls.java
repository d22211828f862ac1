package dev.weir.benchmarks.soak;

import java.util.concurrent.TimeUnit;

/**
 * How long the machine keeps a thread from running that only sleeps: what an answer may be late by
 * through no fault of the service. Safe for many threads.
 */
final class Stalls {
  private static final long NAP_MILLIS = 5;

  private volatile long longestMillis;

  /** Watches from now on, until the program ends. */
  static Stalls watch() {
    Stalls stalls = new Stalls();
    Thread thread = new Thread(stalls::nap, "stalls");
    thread.setDaemon(true);
    thread.start();
    return stalls;
  }

  long longestMillis() {
    return longestMillis;
  }

  private void nap() {
    try {
      while (true) {
        long start = System.nanoTime();
        Thread.sleep(NAP_MILLIS);
        long late = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) - NAP_MILLIS;
        longestMillis = Math.max(longestMillis, late);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
