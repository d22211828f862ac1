package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PerformanceTargetTest {
  private static final MedianAndRange RATIO = new MedianAndRange(1.5, 1.25, 1.75);

  @Test
  void aRatioOnItsBoundMeetsIt() {
    assertThat(PerformanceTarget.atMost("P1", "", 1.5, RATIO).verdict()).isEqualTo("met");
    assertThat(PerformanceTarget.atLeast("P1", "", 1.5, RATIO).verdict()).isEqualTo("met");
  }

  @Test
  void aRatioBeyondItsBoundSaysByHowMuch() {
    assertThat(PerformanceTarget.atMost("P1", "", 1.2, RATIO).verdict())
        .isEqualTo("missed by 25 %");
    assertThat(PerformanceTarget.atLeast("P1", "", 3, RATIO).verdict())
        .isEqualTo("missed by 100 %");
  }

  @Test
  void aMissThatRoundsToNothingIsStillAMiss() {
    assertThat(PerformanceTarget.atMost("P1", "", 1.499, RATIO).verdict())
        .isEqualTo("missed by 1 %");
  }

  @Test
  void bytesAreJudgedInWholeNumbers() {
    assertThat(PerformanceTarget.bytesAtMost("P4", "", 88, 88.4))
        .isEqualTo(new PerformanceTarget("P4", "", "88 B", 0));
    assertThat(PerformanceTarget.bytesAtMost("P4", "", 88, 110).verdict())
        .isEqualTo("missed by 25 %");
  }

  @Test
  void theMedianIsShownWithItsSpread() {
    assertThat(PerformanceTarget.atMost("P1", "", 1.2, RATIO).measured())
        .isEqualTo("1.50 (1.25 to 1.75)");
  }
}
