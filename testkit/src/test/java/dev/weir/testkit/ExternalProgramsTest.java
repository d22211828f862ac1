package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

final class ExternalProgramsTest {
  @Test
  void aProgramThatIsThereIsUsed() {
    Path program = Path.of("/bin/sh");
    assertThat(ExternalPrograms.require(Optional.of(program), "sh", true)).isEqualTo(program);
    assertThat(ExternalPrograms.require(Optional.of(program), "sh", false)).isEqualTo(program);
  }

  @Test
  void aMissingProgramSkipsOnALaptop() {
    assertThatThrownBy(() -> ExternalPrograms.require(Optional.empty(), "redis-server", false))
        .isInstanceOf(TestAbortedException.class)
        .hasMessageContaining("redis-server is not installed");
  }

  @Test
  void aMissingProgramFailsInCi() {
    assertThatThrownBy(() -> ExternalPrograms.require(Optional.empty(), "redis-server", true))
        .isInstanceOf(AssertionError.class)
        .hasMessage("redis-server must be installed in CI, was not found");
  }
}
