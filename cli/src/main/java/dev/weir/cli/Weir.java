package dev.weir.cli;

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
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The root of all commands; without arguments it runs the demonstration. */
@Command(
    name = "weir",
    description = "Exact rate limiting.",
    synopsisSubcommandLabel = "<command>",
    versionProvider = Version.class,
    footer = {"", "Without a command: weir demo"})
final class Weir {
  private static final String[] DEFAULT = {"demo"};

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show how to use the command.")
  private boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean version;

  private Weir() {}

  public static void main(String[] args) {
    // UTF-8 whatever the locale says: containers often have none, and their terminals read UTF-8.
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(Terminal.detect(), out, err, args));
  }

  /** Runs one command and returns its exit code: 0 done, 1 failed, 2 usage error. */
  static int run(Terminal terminal, PrintWriter out, PrintWriter err, String... args) {
    CommandLine weir = new CommandLine(new Weir());
    return weir.addSubcommand(new ServeCommand(terminal))
        .addSubcommand(new CheckCommand(terminal))
        .addSubcommand(new ExplainCommand(terminal))
        .addSubcommand(new ValidateCommand())
        .addSubcommand(new TestCommand(terminal))
        .addSubcommand(new DiffCommand(terminal))
        .addSubcommand(new SimulateCommand(terminal))
        .addSubcommand(new DoctorCommand(terminal))
        .addSubcommand(new ReadyCommand())
        .addSubcommand(new DemoCommand(terminal))
        .setOut(out)
        .setErr(err)
        .setExecutionExceptionHandler(new FailureHandler())
        .setParameterExceptionHandler(new UsageErrorHandler())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setColorScheme(CommandLine.Help.defaultColorScheme(terminal.colour() ? Ansi.ON : Ansi.OFF))
        .execute(args.length == 0 ? DEFAULT : helpAsOption(weir, args));
  }

  /**
   * {@code help check} is {@code check --help}, as in many other programs. With the option, a
   * command that does not exist would go unnoticed.
   */
  private static String[] helpAsOption(CommandLine weir, String... args) {
    if (!args[0].equals("help")) {
      return args;
    }
    List<String> asOption = new ArrayList<>(List.of(args).subList(1, args.length));
    if (asOption.isEmpty() || weir.getSubcommands().containsKey(asOption.get(0))) {
      asOption.add("--help");
    }
    return asOption.toArray(String[]::new);
  }
}
