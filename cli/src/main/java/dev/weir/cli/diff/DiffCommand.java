package dev.weir.cli.diff;

import dev.weir.cli.console.Terminal;
import dev.weir.cli.simulate.input.LogFiles;
import dev.weir.cli.simulate.input.LogFiles.PlacedRequest;
import dev.weir.cli.simulate.input.LogOptions;
import dev.weir.cli.simulate.replay.LogReplay;
import dev.weir.cli.simulate.replay.ReplayStatistics;
import dev.weir.cli.simulate.replay.ReplayTarget;
import dev.weir.cli.simulate.report.ReplayProgress;
import dev.weir.cli.time.VirtualTime;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.RuleSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

/** Says what changed between two sets of rules and, with a log, who would notice. */
@Command(
    name = "diff",
    description =
        "Says what changed between two sets of rules; with a log, who would be newly denied and newly"
            + " allowed.",
    footer = {
      "",
      "  weir diff main.yaml weir.yaml --log access.log \\",
      "    --fail-if 'newly-denied > 0.1 %%'",
      "",
      "--fail-if measures newly-denied, newly-allowed, denied (with the new rules) or",
      "changes.",
      "Exit status: 0 compared, 1 a --fail-if is met, faults, or no request in the",
      "log, 2 usage error."
    })
public final class DiffCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      index = "0",
      paramLabel = "<old>",
      description = "Rule file, or directory with rule files.")
  private Path before;

  @Parameters(
      index = "1",
      paramLabel = "<new>",
      description = "Rule file, or directory with rule files.")
  private Path after;

  @Option(
      names = "--log",
      paramLabel = "<log>",
      description = "Log to replay against both, as in simulate; may be repeated.")
  private List<String> logs = List.of();

  @Mixin private LogOptions input = new LogOptions();

  @Option(
      names = "--fail-if",
      paramLabel = "<condition>",
      description = "Exits with 1 if this is so: 'newly-denied > 0.1 %%'; may be repeated.")
  private List<String> failIf = List.of();

  @Option(names = "--markdown", description = "Writes Markdown, for a comment on a change.")
  private boolean markdown;

  @Spec private CommandSpec spec;

  public DiffCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    List<FailCondition> conditions = conditions();
    RuleSet old = RuleSet.load(before);
    RuleSet now = RuleSet.load(after);
    List<RuleChange> changes = RuleChanges.between(old, now);
    DiffReport report = new DiffReport(markdown);
    report.addChanges(changes);
    ReplayStatistics statistics = null;
    if (!logs.isEmpty()) {
      statistics = replayed(old, now);
      if (statistics == null) {
        return 1;
      }
      report.addReplay(statistics);
    }
    boolean failed = false;
    for (FailCondition condition : conditions) {
      boolean met = condition.isMet(changes.size(), statistics);
      report.addCondition(condition, met);
      failed |= met;
    }
    PrintWriter out = spec.commandLine().getOut();
    report.lines().forEach(out::println);
    out.flush();
    return failed ? 1 : 0;
  }

  private List<FailCondition> conditions() {
    try {
      List<FailCondition> conditions = failIf.stream().map(FailCondition::parse).toList();
      if (logs.isEmpty() && conditions.stream().anyMatch(FailCondition::needsLog)) {
        throw new IllegalArgumentException("--fail-if needs --log, unless it counts changes");
      }
      return conditions;
    } catch (IllegalArgumentException malformed) {
      throw new ParameterException(
          spec.commandLine(), String.valueOf(malformed.getMessage()), malformed);
    }
  }

  /** Null if there was nothing to replay; that has been said. */
  private @Nullable ReplayStatistics replayed(RuleSet old, RuleSet now) {
    VirtualTime clock = new VirtualTime();
    StoreAddress memory = StoreAddress.parse(StoreAddress.MEMORY);
    PrintWriter err = spec.commandLine().getErr();
    String names = String.join(", ", logs);
    try (ReplayTarget current = ReplayTarget.open(old, memory, clock);
        ReplayTarget candidate = ReplayTarget.open(now, memory, clock);
        LogFiles source = input.open(logs)) {
      ReplayStatistics statistics = new ReplayStatistics();
      LogReplay run =
          new LogReplay(clock, current, candidate, null, statistics, source.malformed());
      replay(source, run);
      source.malformed().report().forEach(err::println);
      if (statistics.requests() > 0) {
        return statistics;
      }
      err.println(names + ": there is no request in it");
    } catch (NoSuchFileException missing) {
      err.println(missing.getFile() + ": there is no such file");
    } catch (IOException | UncheckedIOException unreadable) {
      err.println(names + ": " + unreadable.getMessage());
    }
    return null;
  }

  private void replay(LogFiles source, LogReplay run) throws IOException {
    ReplayProgress progress = new ReplayProgress(spec.commandLine().getErr(), terminal.live());
    try {
      PlacedRequest request = source.next();
      while (request != null && run.take(request)) {
        progress.at(source);
        request = source.next();
      }
    } finally {
      progress.end();
    }
  }
}
