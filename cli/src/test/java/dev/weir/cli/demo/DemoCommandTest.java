package dev.weir.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class DemoCommandTest {
  @Test
  void theBucketAllowsThreeThenDeniesThenAllowsAfterTheWaitItNamed() {
    assertThat(play(Terminal.PLAIN))
        .contains(
            "    0.000 s   alice   allowed   remaining 2  ●●○",
            "    0.300 s   alice   allowed   remaining 1  ●○○",
            "    0.600 s   alice   allowed   remaining 0  ○○○",
            "    0.900 s   alice   denied    remaining 0  ○○○   retry after 1.100 s",
            "    0.900 s   bob     allowed   remaining 2  ●●○   another key, its own bucket",
            "    2.000 s   alice   allowed   remaining 0  ○○○",
            "    4.000 s   alice   allowed   remaining 0  ○○○   acquire() waited 2.000 s");
  }

  @Test
  void onlyTheSlidingLogHoldsTheLimitInEverySecondOfTheSameTraffic() {
    List<String> most =
        play(Terminal.PLAIN).stream()
            .filter(line -> line.startsWith("   most in 1 s"))
            .map(line -> line.substring(15, 17))
            .toList();
    assertThat(most).containsExactly("19", "20", "13", "10");
  }

  @Test
  void theFixedWindowAdmitsTwentyAcrossTheEdgeAndTheSlidingLogTen() {
    assertThat(play(Terminal.PLAIN))
        .contains(
            "   fixed window            █ █ █ █ █ █ █ █ █ █│█ █ █ █ █ █ █ █ █ █",
            "   sliding log             █ █ █ █ █ █ █ █ █ █│░ ░ ░ ░ ░ ░ ░ ░ ░ ░",
            "   fixed window  admitted 20 within 200 ms",
            "   sliding log   admitted 10 within 200 ms");
  }

  @Test
  void theLogAllowsAtTheMicrosecondItNamedAndNotBefore() {
    assertThat(play(Terminal.PLAIN))
        .contains(
            "   At 1.090000 s the log says: retry after 0.810000 s.",
            "   At 1.899999 s it answers: denied,",
            "   at 1.900000 s, a microsecond later: allowed.");
  }

  @Test
  void onAPipeThereAreNoEscapeCodesAndNoTrailingBlanks() {
    assertThat(play(Terminal.PLAIN))
        .allSatisfy(line -> assertThat(line).doesNotContain("\033").doesNotEndWith(" "));
  }

  @Test
  void everyLineFitsIntoEightyColumns() {
    assertThat(play(Terminal.PLAIN)).allMatch(line -> line.length() <= 80);
  }

  @Test
  void fastOnATerminalHasColoursAndDrawsNothingOver() {
    String text = String.join("\n", play(new Terminal(true, true), "--fast"));
    assertThat(text).contains("\033[32m").doesNotContain("\033[?25l", "\033[K");
  }

  @Test
  void fastWithoutColoursIsWhatAPipeGets() {
    assertThat(play(new Terminal(true, false), "--fast")).isEqualTo(play(Terminal.PLAIN));
  }

  @Test
  void itEndsWithWhatToReadNext() {
    List<String> lines = play(Terminal.PLAIN);
    assertThat(lines.get(lines.size() - 1)).contains("README.md", "docs/algorithms.md");
  }

  private static List<String> play(Terminal terminal, String... args) {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new DemoCommand(terminal)).setOut(new PrintWriter(out)).execute(args);
    assertThat(code).isZero();
    return out.toString().lines().toList();
  }
}
