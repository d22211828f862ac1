package dev.weir.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProcessorTicksTest {
  @Test
  void whatIsNeitherIdleNorOwnBelongsToOthers() {
    String all = "cpu  500 0 200 1000 100 10 20 70 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\n";
    String own = "77 (a (b) c) S 1 1 1 0 -1 0 0 0 0 0 100 20 300 40 20 0 9 0\n";
    assertThat(ProcessorTicks.parse(all, own)).isEqualTo(new ProcessorTicks(1900, 340));
  }

  @Test
  void theShareOfOthersIsTakenSinceAnEarlierTime() {
    assertThat(new ProcessorTicks(1400, 90).shareSince(new ProcessorTicks(1000, 50)))
        .isEqualTo(0.1);
  }

  @Test
  void noTimeHasNoShare() {
    assertThat(new ProcessorTicks(0, 0).shareSince(new ProcessorTicks(0, 0))).isZero();
  }
}
