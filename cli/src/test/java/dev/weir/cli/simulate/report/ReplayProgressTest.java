package dev.weir.cli.simulate.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The line that shows how far a replay is. */
final class ReplayProgressTest {
  @Test
  void progressSaysHowFastAndHowLong() {
    assertThat(ReplayProgress.text(1_200_000, 3, OptionalLong.of(375)))
        .isEqualTo("1,200,000 lines, 400,000 lines/s, 37 %, 5 s left");
    assertThat(ReplayProgress.text(10, 1, OptionalLong.empty())).isEqualTo("10 lines, 10 lines/s");
  }
}
