package dev.weir.cli.serve;

import java.time.Duration;

/** Tells a failure that goes on from one that has passed. Safe for many threads. */
final class RepeatedFailure {
  private final long longestNanos;
  private boolean failing;
  private long firstNanos;
  private long lastNanos;

  /**
   * @param longest how long failures may go on; after as long without one they have passed
   */
  RepeatedFailure(Duration longest) {
    longestNanos = longest.toNanos();
  }

  /**
   * Notes a failure; whether they have gone on for too long.
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
