package dev.weir.cli.doctor;

import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Terminal;
import dev.weir.cli.options.StoreOptions;
import dev.weir.redis.RedisDiagnosis;
import dev.weir.redis.RedisDiagnosis.Finding;
import dev.weir.redis.RedisDiagnosis.Severity;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Examines the Redis of an address: can limits be kept there? */
@Command(
    name = "doctor",
    description = "Examines a Redis or Valkey: can limits be kept there?",
    footer = {
      "",
      "One line per finding: ok, unknown (the server does not say), warning, failure.",
      "Exit status: 0 limits can be kept, 1 at least one failure, 2 usage error."
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final AnsiStyle style;

  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--namespace",
      paramLabel = "<name>",
      defaultValue = "default",
      description = "Namespace of the keys, as access rules may name it. Default: default")
  private String namespace;

  @Spec private CommandSpec spec;

  public DoctorCommand(Terminal terminal) {
    style = new AnsiStyle(terminal.colour());
  }

  @Override
  public Integer call() {
    String address = store.address().orElseThrow(() -> usage("--store must be given"));
    List<Finding> findings = examine(address);
    print(findings, spec.commandLine().getOut());
    return count(findings, Severity.FAILURE) == 0 ? 0 : 1;
  }

  private List<Finding> examine(String address) {
    try {
      if (store.parse(address).isMemory()) {
        throw usage("--store must be the address of a Redis, was memory");
      }
      return RedisDiagnosis.examine(address, store.tls(), namespace, PATIENCE);
    } catch (IllegalArgumentException malformed) {
      String reason = String.valueOf(malformed.getMessage());
      throw usage("--" + reason.replace("must be memory, ", "must be "));
    }
  }

  private void print(List<Finding> findings, PrintWriter out) {
    String server = "";
    for (Finding finding : findings) {
      if (!finding.server().equals(server)) {
        server = finding.server();
        out.println(style.strong(server));
      }
      out.println(line(finding));
    }
    long failures = count(findings, Severity.FAILURE);
    out.println(
        (failures == 0 ? "Limits can be kept here" : "Limits cannot be kept here as it is")
            + String.format(
                " (failures: %d, warnings: %d, unknown: %d).",
                failures, count(findings, Severity.WARNING), count(findings, Severity.UNKNOWN)));
  }

  private String line(Finding finding) {
    String word = String.format("%-8s", finding.severity().name().toLowerCase(Locale.ROOT));
    String painted =
        switch (finding.severity()) {
          case OK -> style.good(word);
          case UNKNOWN -> style.faint(word);
          case WARNING -> style.strong(word);
          case FAILURE -> style.bad(word);
        };
    return "  " + painted + String.format("  %-12s  %s", finding.subject(), finding.text());
  }

  private static long count(List<Finding> findings, Severity severity) {
    return findings.stream().filter(finding -> finding.severity() == severity).count();
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
