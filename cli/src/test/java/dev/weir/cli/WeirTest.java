package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

final class WeirTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void noArgumentsRunTheDemonstration() {
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("1  Allow, deny, wait, allow again");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void anUnknownCommandIsNamedAndExitsWithTwo() {
    assertThat(run("bogus")).isEqualTo(2);
    assertThat(err.toString()).startsWith("Unmatched argument at index 0: 'bogus'");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void anUnknownOptionIsNamedAndExitsWithTwo() {
    assertThat(run("demo", "--slow")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToNormalizingNewlines(
            """
            Unknown option: '--slow'
            See weir demo --help
            """);
  }

  @Test
  void aCommandThatIsMistypedIsGuessed() {
    assertThat(run("serv")).isEqualTo(2);
    assertThat(err.toString()).contains("Did you mean: weir serve?");
  }

  @Test
  void helpListsTheCommands() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("Usage: weir", "Commands:", "demo      Shows the four");
  }

  @Test
  void helpIsACommandToo() {
    assertThat(run("help")).isZero();
    assertThat(out.toString()).contains("Usage: weir", "Commands:");
    assertThat(run("help", "check")).isZero();
    assertThat(out.toString()).contains("Usage: weir check");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void helpForACommandThatIsMistypedIsAUsageErrorWithAGuess() {
    assertThat(run("help", "chek")).isEqualTo(2);
    assertThat(err.toString()).contains("'chek'", "Did you mean: weir check");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void everyCommandHasHelp() {
    assertThat(run("demo", "--help")).isZero();
    assertThat(out.toString()).contains("Usage: weir demo", "--fast");
  }

  @Test
  void theVersionIsOneLine() {
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).isEqualToIgnoringNewLines("weir (not packaged)");
  }

  @Test
  void aPackagedVersionIsShownAsItIs() {
    assertThat(Version.text("1.2.3")).isEqualTo("weir 1.2.3");
  }

  private int run(String... args) {
    return Weir.run(Terminal.PLAIN, new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
