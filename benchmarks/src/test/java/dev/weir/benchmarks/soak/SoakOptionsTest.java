package dev.weir.benchmarks.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.benchmarks.soak.Soak.SoakOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SoakOptionsTest {
  @Test
  void aSoakTakesFiveMinutesUnlessSaidOtherwise() {
    assertThat(SoakOptions.parse()).isEqualTo(new SoakOptions(5));
    assertThat(SoakOptions.parse("--minutes", "1")).isEqualTo(new SoakOptions(1));
    assertThat(SoakOptions.parse("--minutes", "120")).isEqualTo(new SoakOptions(120));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "121", "-1", "five", "", "1000", "99999999999"})
  void anyOtherTimeIsRefused(String minutes) {
    assertThatThrownBy(() -> SoakOptions.parse("--minutes", minutes))
        .hasMessage("--minutes must be from 1 to 120, was " + minutes);
  }

  @Test
  void unknownOptionsAreRefused() {
    assertThatThrownBy(() -> SoakOptions.parse("--fast")).hasMessage("unknown option, was --fast");
    assertThatThrownBy(() -> SoakOptions.parse("--minutes"))
        .hasMessage("--minutes must be from 1 to 120, was nothing");
  }
}
