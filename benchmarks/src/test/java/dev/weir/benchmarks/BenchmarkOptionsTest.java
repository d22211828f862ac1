package dev.weir.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.Benchmarks.BenchmarkOptions;
import dev.weir.benchmarks.Benchmarks.BenchmarkOptions.Place;
import dev.weir.benchmarks.report.Effort;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class BenchmarkOptionsTest {
  @Test
  void everythingIsMeasuredAtLengthUnlessSaidOtherwise() {
    assertThat(BenchmarkOptions.parse())
        .isEqualTo(
            new BenchmarkOptions(Place.PROCESS, Effort.FULL, Path.of("docs", "benchmarks.md")));
    assertThat(BenchmarkOptions.parse("--short", "--report", "elsewhere.md"))
        .isEqualTo(new BenchmarkOptions(Place.PROCESS, Effort.SHORT, Path.of("elsewhere.md")));
  }

  @Test
  void redisIsMeasuredWhenNamedAndItsPlotsLieBesideTheReport() {
    BenchmarkOptions options = BenchmarkOptions.parse("redis", "--report", "elsewhere/report.md");
    assertThat(options.place()).isEqualTo(Place.REDIS);
    assertThat(options.images()).isEqualTo(Path.of("elsewhere", "images"));
  }

  @Test
  void filtersAreMeasuredWhenNamed() {
    assertThat(BenchmarkOptions.parse("filter", "--short").place()).isEqualTo(Place.FILTER);
  }

  @Test
  void unknownOptionsAreRefused() {
    assertThatThrownBy(() -> BenchmarkOptions.parse("--fast"))
        .hasMessage("unknown option, was --fast");
    assertThatThrownBy(() -> BenchmarkOptions.parse("--report"))
        .hasMessage("--report must be followed by a value");
  }
}
