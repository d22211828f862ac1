package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class OptionsTest {
  @Test
  void everythingIsMeasuredAtLengthUnlessSaidOtherwise() {
    assertThat(Options.parse())
        .isEqualTo(new Options(Effort.FULL, Path.of("docs", "benchmarks.md")));
    assertThat(Options.parse("--short", "--report", "elsewhere.md"))
        .isEqualTo(new Options(Effort.SHORT, Path.of("elsewhere.md")));
  }

  @Test
  void unknownOptionsAreRefused() {
    assertThatThrownBy(() -> Options.parse("--fast")).hasMessage("unknown option, was --fast");
    assertThatThrownBy(() -> Options.parse("--report"))
        .hasMessage("--report must be followed by a value");
  }
}
