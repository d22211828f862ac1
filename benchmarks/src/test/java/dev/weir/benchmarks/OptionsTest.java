package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.Options.Place;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class OptionsTest {
  @Test
  void everythingIsMeasuredAtLengthUnlessSaidOtherwise() {
    assertThat(Options.parse())
        .isEqualTo(new Options(Place.PROCESS, Effort.FULL, Path.of("docs", "benchmarks.md")));
    assertThat(Options.parse("--short", "--report", "elsewhere.md"))
        .isEqualTo(new Options(Place.PROCESS, Effort.SHORT, Path.of("elsewhere.md")));
  }

  @Test
  void redisIsMeasuredWhenNamedAndItsPlotsLieBesideTheReport() {
    Options options = Options.parse("redis", "--report", "elsewhere/report.md");
    assertThat(options.place()).isEqualTo(Place.REDIS);
    assertThat(options.images()).isEqualTo(Path.of("elsewhere", "images"));
  }

  @Test
  void unknownOptionsAreRefused() {
    assertThatThrownBy(() -> Options.parse("--fast")).hasMessage("unknown option, was --fast");
    assertThatThrownBy(() -> Options.parse("--report"))
        .hasMessage("--report must be followed by a value");
  }
}
