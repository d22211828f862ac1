package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import dev.weir.cli.demo.DemoCommand;
import dev.weir.cli.diff.DiffCommand;
import dev.weir.cli.doctor.DoctorCommand;
import dev.weir.cli.ready.ReadyCommand;
import dev.weir.cli.rules.CheckCommand;
import dev.weir.cli.rules.ExplainCommand;
import dev.weir.cli.rules.ValidateCommand;
import dev.weir.cli.ruletest.TestCommand;
import dev.weir.cli.serve.ServeCommand;
import dev.weir.cli.simulate.SimulateCommand;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

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

  /** Picocli writes its own complaints about a text to standard error, and breaks longer lines. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        ServeCommand.class,
        CheckCommand.class,
        ExplainCommand.class,
        ValidateCommand.class,
        TestCommand.class,
        DiffCommand.class,
        SimulateCommand.class,
        DoctorCommand.class,
        ReadyCommand.class,
        DemoCommand.class
      })
  void theHelpOfEveryCommandIsCleanAndFitsATerminal(Class<?> type) {
    Command command = type.getAnnotation(Command.class);
    assertThat(complaintsOfHelp(command.name())).isEmpty();
    assertThat(command.description()).as("only the first is in the list of commands").hasSize(1);
    assertThat(command.footer()).allMatch(line -> line.length() <= 80);
  }

  private String complaintsOfHelp(String command) {
    PrintStream standard = System.err;
    ByteArrayOutputStream complaints = new ByteArrayOutputStream();
    System.setErr(new PrintStream(complaints, true));
    try {
      assertThat(run(command, "--help")).isZero();
    } finally {
      System.setErr(standard);
    }
    return complaints.toString();
  }

  private int run(String... args) {
    return Weir.run(Terminal.PLAIN, new PrintWriter(out, true), new PrintWriter(err, true), args);
  }
}
