package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TargetTest {
  private static final Spread RATIO = new Spread(1.5, 1.25, 1.75);

  @Test
  void aRatioOnItsBoundMeetsIt() {
    assertThat(Target.atMost("P1", "", 1.5, RATIO).verdict()).isEqualTo("met");
    assertThat(Target.atLeast("P1", "", 1.5, RATIO).verdict()).isEqualTo("met");
  }

  @Test
  void aRatioBeyondItsBoundSaysByHowMuch() {
    assertThat(Target.atMost("P1", "", 1.2, RATIO).verdict()).isEqualTo("missed by 25 %");
    assertThat(Target.atLeast("P1", "", 3, RATIO).verdict()).isEqualTo("missed by 100 %");
  }

  @Test
  void aMissThatRoundsToNothingIsStillAMiss() {
    assertThat(Target.atMost("P1", "", 1.499, RATIO).verdict()).isEqualTo("missed by 1 %");
  }

  @Test
  void bytesAreJudgedInWholeNumbers() {
    assertThat(Target.bytesAtMost("P4", "", 88, 88.4)).isEqualTo(new Target("P4", "", "88 B", 0));
    assertThat(Target.bytesAtMost("P4", "", 88, 110).verdict()).isEqualTo("missed by 25 %");
  }

  @Test
  void theMedianIsShownWithItsSpread() {
    assertThat(Target.atMost("P1", "", 1.2, RATIO).measured()).isEqualTo("1.50 (1.25 to 1.75)");
  }
}
