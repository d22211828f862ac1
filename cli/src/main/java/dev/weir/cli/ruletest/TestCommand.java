package dev.weir.cli.ruletest;

import dev.weir.cli.console.AnsiStyle;
import dev.weir.cli.console.Terminal;
import dev.weir.cli.options.AddressOptions;
import dev.weir.cli.options.RuleFileOptions;
import dev.weir.cli.options.SameFile;
import dev.weir.cli.options.StoreOptions;
import dev.weir.cli.rules.ExplanationText;
import dev.weir.internal.text.PrintableText;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.Fault;
import dev.weir.rules.RuleSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
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

/** Runs tests of rules with a virtual clock. */
@Command(
    name = "test",
    description = "Runs tests of rules: requests at times, and the answers that are expected.",
    footer = {
      "",
      "  tests:",
      "    - name: the sixth login within a minute is denied",
      "      requests:",
      "      - at: 0s",
      "        attributes: {path: /login, ip: 192.0.2.1}",
      "        times: 5",
      "        expect: allowed",
      "      - {at: 1s, attributes: {path: /login, ip: 192.0.2.1}, expect: denied}",
      "",
      "Exit status: 0 all passed, 1 a test failed or faults in a file, 2 usage error."
    })
public final class TestCommand implements Callable<Integer> {
  private final AnsiStyle style;

  @Mixin private RuleFileOptions config = new RuleFileOptions();

  @Mixin private StoreOptions store = new StoreOptions();

  @Mixin private AddressOptions address = new AddressOptions();

  @Option(
      names = "--junit",
      paramLabel = "<file>",
      description = "Writes the results as XML in the format of JUnit, for a build server.")
  private @Nullable Path junit;

  @Option(
      names = "--init",
      description =
          "Writes a first file of tests for the rules, to the file if one is named, else to"
              + " standard output, and runs nothing.")
  private boolean init;

  @Parameters(paramLabel = "<tests>", arity = "0..*", description = "Files with tests.")
  private List<Path> files = List.of();

  @Spec private CommandSpec spec;

  public TestCommand(Terminal terminal) {
    this.style = new AnsiStyle(terminal.colour());
  }

  @Override
  public Integer call() throws IOException {
    if (init) {
      return writeStarter();
    }
    if (files.isEmpty()) {
      throw usage("a file with tests is needed; --init writes one to start from");
    }
    refuseToOverwriteInput();
    RuleSet rules = config.load();
    TestFileReader reader = new TestFileReader(rules, address.addresses());
    files.forEach(reader::read);
    List<Fault> faults = reader.faults().inOrder();
    return faults.isEmpty() ? run(rules, reader.tests()) : fail(faults);
  }

  private int writeStarter() throws IOException {
    if (files.size() > 1) {
      throw usage("--init writes one file, was given " + files.size());
    }
    boolean any = !config.isDefault() || Files.exists(RuleFileOptions.DEFAULT_FILE);
    String text = any ? StarterTests.of(config.load()) : StarterTests.EXAMPLE;
    PrintWriter out = spec.commandLine().getOut();
    if (files.isEmpty()) {
      out.print(text);
      out.flush();
      return 0;
    }
    if (Files.exists(files.get(0))) {
      spec.commandLine().getErr().println(files.get(0) + " is there already");
      return 1;
    }
    Files.writeString(files.get(0), text);
    out.println("Wrote " + files.get(0));
    return 0;
  }

  private void refuseToOverwriteInput() {
    List<Path> inputs = new ArrayList<>(config.files());
    inputs.addAll(files);
    for (Path input : inputs) {
      if (junit != null && SameFile.is(junit, input)) {
        throw usage("--junit must be another file than " + input + ", was " + junit);
      }
    }
  }

  private int run(RuleSet rules, List<RuleTest> tests) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    RuleTestRunner runner =
        new RuleTestRunner(rules, storeAddress(), new ExplanationText(new AnsiStyle(false)));
    List<TestResult> results = new ArrayList<>();
    for (RuleTest test : tests) {
      TestResult result = runner.run(test);
      results.add(result);
      print(result, out);
    }
    long failed = results.stream().filter(result -> !result.passed()).count();
    out.println();
    out.println(summary(results, failed));
    out.flush();
    if (junit != null) {
      Files.writeString(junit, JunitReport.of(results));
    }
    return failed == 0 ? 0 : 1;
  }

  private void print(TestResult result, PrintWriter out) {
    String name = PrintableText.of(result.test().name());
    out.println((result.passed() ? style.good("pass") : style.bad("FAIL")) + "  " + name);
    result
        .failures()
        .forEach(failed -> FailureText.lines(failed).forEach(line -> out.println("      " + line)));
  }

  private static String summary(List<TestResult> results, long failed) {
    long requests = results.stream().mapToLong(TestResult::requests).sum();
    String all = count(results.size(), "test") + ", " + count(requests, "request");
    return all + ": " + (failed == 0 ? "all passed" : failed + " failed");
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private int fail(List<Fault> faults) {
    PrintWriter err = spec.commandLine().getErr();
    faults.forEach(err::println);
    err.println(count(faults.size(), "fault"));
    return 1;
  }

  private StoreAddress storeAddress() {
    try {
      return store.parse(store.onCommandLine().orElse(StoreAddress.MEMORY));
    } catch (IllegalArgumentException malformed) {
      throw usage("--" + malformed.getMessage());
    }
  }

  private ParameterException usage(String text) {
    return new ParameterException(spec.commandLine(), text);
  }
}
