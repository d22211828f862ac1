package dev.weir.cli.simulate;

import dev.weir.cli.console.Terminal;
import dev.weir.cli.options.RuleFileOptions;
import dev.weir.cli.options.SameFile;
import dev.weir.cli.options.StoreOptions;
import dev.weir.cli.simulate.input.LogFiles;
import dev.weir.cli.simulate.input.LogFiles.PlacedRequest;
import dev.weir.cli.simulate.input.LogOptions;
import dev.weir.cli.simulate.input.SampleLogGenerator;
import dev.weir.cli.simulate.replay.DecisionLinesWriter;
import dev.weir.cli.simulate.replay.LogReplay;
import dev.weir.cli.simulate.replay.ReplayStatistics;
import dev.weir.cli.simulate.replay.ReplayTarget;
import dev.weir.cli.simulate.report.HtmlReport;
import dev.weir.cli.simulate.report.ReplayProgress;
import dev.weir.cli.simulate.report.SummaryText;
import dev.weir.cli.time.VirtualTime;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.RuleSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replays a log against rules: which requests they would have allowed or denied. */
@Command(
    name = "simulate",
    description = "Replays a log against rules, at the times of the log.",
    footer = {
      "",
      "A line is JSON, {\"at\": 1500.25, \"attributes\": {\"user\": \"a\"}, \"permits\": 1},",
      "or one of an access log: Common, Combined, Caddy's and nginx's JSON, AWS ALB,",
      "CloudFront, Envoy.",
      "Attributes of an access log: ip, method, path, user, status, host.",
      "Exit status: 0 replayed, 1 faults, no store or no request in the log, 2 usage",
      "error."
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final int SAMPLE_LINES = 100_000;

  private final Terminal terminal;

  @Mixin private RuleFileOptions config = new RuleFileOptions();

  @Option(
      names = "--candidate",
      paramLabel = "<file>",
      description = "Rules to compare with; may be repeated.")
  private List<Path> candidate = List.of();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private LogOptions input = new LogOptions();

  @Option(
      names = "--decisions",
      paramLabel = "<file>",
      description = "Writes each decision as a line of JSON; - for standard output.")
  private @Nullable String decisions;

  @Option(
      names = "--report",
      paramLabel = "<file>",
      description = "Writes a report to read in a browser, or on paper.")
  private @Nullable Path report;

  @Option(
      names = "--sample",
      description = "Writes a log to try things with to standard output, and replays nothing.")
  private boolean sample;

  @Option(
      names = "--seed",
      paramLabel = "<n>",
      description = "Makes another sample of the same kind. Default: 1")
  private long seed = 1;

  @Parameters(
      arity = "0..*",
      paramLabel = "<log>",
      description =
          "The log, compressed with gzip or not; - for standard input. Several, such as parts of a"
              + " rotated log, are read in the order of their times.")
  private List<String> logs = List.of();

  @Spec private CommandSpec spec;

  public SimulateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (sample) {
      spec.commandLine().getOut().print(SampleLogGenerator.of(SAMPLE_LINES, seed));
      spec.commandLine().getOut().flush();
      return 0;
    }
    if (logs.isEmpty()) {
      throw usage("a log is needed: a file, or - for standard input");
    }
    return replay();
  }

  private int replay() {
    refuseToOverwriteInput();
    RuleSet rules = config.load();
    VirtualTime clock = new VirtualTime();
    try (ReplayTarget current = open(rules, clock);
        ReplayTarget other = candidate.isEmpty() ? null : open(load(candidate), clock);
        LogFiles source = input.open(logs)) {
      ReplayStatistics statistics = new ReplayStatistics();
      LogReplay run = new LogReplay(clock, current, other, lines(), statistics, source.malformed());
      return replay(source, run, statistics);
    } catch (NoSuchFileException missing) {
      return fail(missing.getFile() + ": there is no such file");
    } catch (IOException | UncheckedIOException unreadable) {
      return fail(logNames() + ": " + unreadable.getMessage());
    }
  }

  private String logNames() {
    return String.join(", ", logs);
  }

  /** An output file is emptied when it is opened, so it must not be an input file. */
  private void refuseToOverwriteInput() {
    List<Path> inputs = new ArrayList<>(config.files());
    inputs.addAll(candidate);
    logs.stream()
        .filter(name -> !name.equals(LogFiles.STANDARD_INPUT))
        .forEach(name -> inputs.add(Path.of(name)));
    if (decisions != null && !decisions.equals(DecisionLinesWriter.STANDARD_OUTPUT)) {
      refuseToOverwrite("--decisions", Path.of(decisions), inputs);
      inputs.add(Path.of(decisions));
    }
    if (report != null) {
      refuseToOverwrite("--report", report, inputs);
    }
  }

  private void refuseToOverwrite(String option, Path output, List<Path> inputs) {
    for (Path input : inputs) {
      if (SameFile.is(output, input)) {
        throw usage(option + " must be another file than " + input + ", was " + output);
      }
    }
  }

  private int replay(LogFiles source, LogReplay run, ReplayStatistics statistics)
      throws IOException {
    ReplayProgress progress = new ReplayProgress(spec.commandLine().getErr(), terminal.live());
    Thread onInterrupt = new Thread(() -> interrupted(source, run, statistics, progress));
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      PlacedRequest request = source.next();
      while (request != null && run.take(request)) {
        progress.at(source);
        request = source.next();
      }
      return run.end() ? finish(source, run, statistics, progress) : 1;
    } finally {
      run.end();
      progress.end();
      forget(onInterrupt);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException interrupted) {
      // the hook is running
    }
  }

  private int finish(
      LogFiles source, LogReplay run, ReplayStatistics statistics, ReplayProgress progress)
      throws IOException {
    progress.end();
    source.malformed().report().forEach(spec.commandLine().getErr()::println);
    if (statistics.requests() == 0) {
      return fail(logNames() + ": there is no request in it");
    }
    PrintWriter out = summaryOut();
    SummaryText.of(statistics, run.unused(), !candidate.isEmpty()).forEach(out::println);
    out.flush();
    if (report != null) {
      Files.writeString(report, HtmlReport.of(statistics, !candidate.isEmpty()));
    }
    return 0;
  }

  /** Ctrl-C: prints the results so far. */
  private void interrupted(
      LogFiles source, LogReplay run, ReplayStatistics statistics, ReplayProgress progress) {
    try {
      if (run.end()) {
        progress.end();
        summaryOut().println("Interrupted after line " + source.lines() + ".");
        finish(source, run, statistics, progress);
      }
    } catch (IOException unwritable) {
      fail(unwritable.getMessage());
    }
  }

  /** Standard output, unless the decisions go there. */
  private PrintWriter summaryOut() {
    return DecisionLinesWriter.STANDARD_OUTPUT.equals(decisions)
        ? spec.commandLine().getErr()
        : spec.commandLine().getOut();
  }

  private @Nullable DecisionLinesWriter lines() throws IOException {
    return decisions == null
        ? null
        : DecisionLinesWriter.open(decisions, spec.commandLine().getOut());
  }

  private static RuleSet load(List<Path> files) {
    return RuleSet.load(files.toArray(Path[]::new));
  }

  private ReplayTarget open(RuleSet rules, VirtualTime clock) {
    try {
      return ReplayTarget.open(
          rules, store.parse(store.onCommandLine().orElse(StoreAddress.MEMORY)), clock);
    } catch (IllegalArgumentException malformed) {
      throw usage("--" + malformed.getMessage());
    }
  }

  private int fail(@Nullable String text) {
    spec.commandLine().getErr().println(text);
    return 1;
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
