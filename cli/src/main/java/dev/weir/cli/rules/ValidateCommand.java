package dev.weir.cli.rules;

import dev.weir.redis.StoreAddress;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RuleSet;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints every fault of rule files with its position. */
@Command(
    name = "validate",
    description = "Names every fault of rule files, with its place.",
    footer = {"", "Exit status: 0 no fault, 1 faults, 2 usage error."})
public final class ValidateCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "<file>",
      arity = "1..*",
      description = "Rule files, or directories with rule files, that belong together.")
  private List<Path> files = List.of();

  @Option(names = "--all", description = "Show every fault, not only the first twenty.")
  private boolean all;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    RuleSet rules;
    try {
      rules = RuleSet.load(files.toArray(Path[]::new));
    } catch (InvalidRulesException faults) {
      if (!all) {
        throw faults;
      }
      FaultText.printAll(spec.commandLine().getErr(), faults);
      return 1;
    }
    Optional<String> badStore = rules.store().flatMap(ValidateCommand::fault);
    if (badStore.isPresent()) {
      spec.commandLine().getErr().println(badStore.get());
      return 1;
    }
    rules.hints().forEach(spec.commandLine().getErr()::println);
    print(rules);
    return 0;
  }

  /** What is wrong with an address, without the address. */
  private static Optional<String> fault(String store) {
    try {
      StoreAddress.parse(store);
      return Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.of(String.valueOf(malformed.getMessage()));
    }
  }

  private void print(RuleSet rules) {
    int count = rules.names().size();
    String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
    spec.commandLine()
        .getOut()
        .println(
            names
                + ": no faults, "
                + (count == 1 ? "1 rule" : count + " rules")
                + " over "
                + String.join(", ", rules.attributes()));
  }
}
