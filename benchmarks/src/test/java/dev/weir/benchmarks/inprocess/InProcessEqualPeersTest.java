package dev.weir.benchmarks.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.benchmarks.inprocess.InProcessReport.InProcessEqualPeers;
import org.junit.jupiter.api.Test;

final class InProcessEqualPeersTest {
  @Test
  void aPeerWithinFifteenPercentIsLevel() {
    assertThat(InProcessEqualPeers.sentence("hot key", "Guava", 0.9))
        .isEqualTo("hot key: Guava is level with Weir (0.90 x its time)");
  }

  @Test
  void aPeerBeyondFifteenPercentIsQuicker() {
    assertThat(InProcessEqualPeers.sentence("hot key", "Guava", 0.8))
        .isEqualTo("hot key: Guava is quicker than Weir (0.80 x its time)");
  }
}
