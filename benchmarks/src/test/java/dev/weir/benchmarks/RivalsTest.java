package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class RivalsTest {
  @Test
  void aPeerWithinFifteenPercentIsLevel() {
    assertThat(Rivals.sentence("hot key", "Guava", 0.9))
        .isEqualTo("hot key: Guava is level with Weir (0.90 x its time)");
  }

  @Test
  void aPeerBeyondFifteenPercentIsQuicker() {
    assertThat(Rivals.sentence("hot key", "Guava", 0.8))
        .isEqualTo("hot key: Guava is quicker than Weir (0.80 x its time)");
  }
}
