package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PauseWatchTest {
  private static final long MILLI = 1_000_000;

  private long nowNanos;
  private long sleepNanos;
  private final PauseWatch watch = new PauseWatch(() -> nowNanos, () -> nowNanos += sleepNanos);

  @Test
  void aPauseIsWhatASleepTookBeyondItsTime() {
    sleepNanos = 31 * MILLI;
    watch.sleepOnce();
    assertThat(watch.longestMillis()).isEqualTo(30);
  }

  @Test
  void theLongestPauseCounts() {
    for (long millis : new long[] {5, 26, 1, 3}) {
      sleepNanos = millis * MILLI;
      watch.sleepOnce();
    }
    assertThat(watch.longestMillis()).isEqualTo(25);
  }

  @Test
  void aSleepThatEndsEarlyIsNoPause() {
    sleepNanos = MILLI / 2;
    watch.sleepOnce();
    assertThat(watch.longestMillis()).isZero();
  }
}
