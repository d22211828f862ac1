package dev.weir.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnresponsiveConnectionDetectorTest {
  private static final long LONGEST = UnresponsiveConnectionDetector.LONGEST_SILENCE.toNanos();

  private final UnresponsiveConnectionDetector detector = new UnresponsiveConnectionDetector();

  @Test
  void aConnectionWithoutTimeoutsIsNeverSilent() {
    detector.answered();
    assertThat(detector.isSuspect()).isFalse();
    assertThat(detector.isSilent(Long.MAX_VALUE)).isFalse();
  }

  @Test
  void silenceIsCountedFromTheFirstTimeoutSinceTheLastAnswer() {
    long start = 5_000;
    detector.timedOut(start);
    detector.timedOut(start + LONGEST - 1);
    assertThat(detector.isSuspect()).isTrue();
    assertThat(detector.isSilent(start + LONGEST - 1)).isFalse();
    assertThat(detector.isSilent(start + LONGEST)).isTrue();
  }

  @Test
  void anAnswerStartsItAgain() {
    detector.timedOut(1);
    detector.answered();
    assertThat(detector.isSilent(1 + LONGEST)).isFalse();
    detector.timedOut(LONGEST);
    assertThat(detector.isSilent(2 * LONGEST - 1)).isFalse();
    assertThat(detector.isSilent(2 * LONGEST)).isTrue();
  }

  @Test
  void everyTimeIsATime() {
    detector.timedOut(0);
    assertThat(detector.isSuspect()).isTrue();
    detector.answered();
    detector.timedOut(-10);
    assertThat(detector.isSilent(LONGEST - 11)).isFalse();
    assertThat(detector.isSilent(LONGEST - 10)).isTrue();
  }
}
