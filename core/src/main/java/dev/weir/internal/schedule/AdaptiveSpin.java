package dev.weir.internal.schedule;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Spins until something has happened, as long as that pays. Safe for many threads.
 *
 * <p>It spins for {@value #LONGEST_MICROS} us at most. After a spin in vain it does not spin the
 * next time, after another one not the next two, four, eight times, up to {@value #MAX_SKIPPED}. So
 * a store that takes longer to answer costs less than a microsecond per answer on average.
 */
final class AdaptiveSpin {
  static final int MAX_SKIPPED = 256;
  private static final int LONGEST_MICROS = 200;
  private static final long LONGEST_NANOS = LONGEST_MICROS * 1_000L;
  private static final int CHECKS_PER_YIELD = 100;

  private final LongSupplier nanoTime;
  private final boolean isPossible;

  // A lost update of these is harmless: it spins once more, or once less.
  private volatile int toSkip;
  private volatile int nextSkip;

  AdaptiveSpin(LongSupplier nanoTime) {
    this(nanoTime, Runtime.getRuntime().availableProcessors());
  }

  AdaptiveSpin(LongSupplier nanoTime, int processors) {
    this.nanoTime = nanoTime;
    this.isPossible = processors > 1; // a single one is needed to make it happen
  }

  /**
   * @param mayGoOn spins no longer when this is false; that is not in vain
   * @return whether it has happened
   */
  boolean until(BooleanSupplier happened, BooleanSupplier mayGoOn) {
    if (!isPossible || skips()) {
      return happened.getAsBoolean();
    }
    long sinceNanos = nanoTime.getAsLong();
    while (mayGoOn.getAsBoolean()) {
      for (int i = 0; i < CHECKS_PER_YIELD; i++) {
        if (happened.getAsBoolean()) {
          nextSkip = 0;
          return true;
        }
        Thread.onSpinWait();
      }
      Thread.yield(); // to the thread that brings the answer, if it waits for this processor
      if (nanoTime.getAsLong() - sinceNanos >= LONGEST_NANOS) {
        nextSkip = Math.min(MAX_SKIPPED, Math.max(1, 2 * nextSkip));
        toSkip = nextSkip;
        return false;
      }
    }
    return happened.getAsBoolean();
  }

  private boolean skips() {
    int left = toSkip;
    if (left > 0) {
      toSkip = left - 1;
    }
    return left > 0;
  }
}
