package dev.weir.cli.serve;

import java.time.Duration;

/** Detects failures that repeat for too long. Safe for many threads. */
final class RepeatedFailure {
  private final long longestNanos;
  private boolean failing;
  private long firstNanos;
  private long lastNanos;

  /**
   * @param longest how long failures may repeat; the count starts anew after as long without one
   */
  RepeatedFailure(Duration longest) {
    longestNanos = longest.toNanos();
  }

  /**
   * Records a failure, and returns whether failures have repeated for too long.
   *
   * @param nowNanos by {@link System#nanoTime}
   */
  synchronized boolean goesOn(long nowNanos) {
    if (!failing || nowNanos - lastNanos >= longestNanos) {
      failing = true;
      firstNanos = nowNanos;
    }
    lastNanos = nowNanos;
    return nowNanos - firstNanos >= longestNanos;
  }
}
