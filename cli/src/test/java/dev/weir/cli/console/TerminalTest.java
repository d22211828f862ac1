package dev.weir.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class TerminalTest {
  @Test
  void aTerminalIsLiveAndColoured() {
    assertThat(Terminal.of(true, Map.of("TERM", "xterm"))).isEqualTo(new Terminal(true, true));
  }

  @Test
  void aPipeIsPlainWhateverTheEnvironmentSays() {
    assertThat(Terminal.of(false, Map.of("TERM", "xterm"))).isEqualTo(Terminal.PLAIN);
  }

  @Test
  void noColorTakesTheColoursAndLeavesTheMovement() {
    assertThat(Terminal.of(true, Map.of("TERM", "xterm", "NO_COLOR", "1")))
        .isEqualTo(new Terminal(true, false));
  }

  @Test
  void anEmptyNoColorSaysNothing() {
    assertThat(Terminal.of(true, Map.of("TERM", "xterm", "NO_COLOR", "")).colour()).isTrue();
  }

  @Test
  void aDumbOrUnnamedTerminalIsPlain() {
    assertThat(Terminal.of(true, Map.of("TERM", "dumb"))).isEqualTo(Terminal.PLAIN);
    assertThat(Terminal.of(true, Map.of())).isEqualTo(Terminal.PLAIN);
  }
}
