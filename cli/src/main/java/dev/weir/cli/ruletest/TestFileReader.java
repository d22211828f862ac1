package dev.weir.cli.ruletest;

import dev.weir.cli.outline.LimitOutline;
import dev.weir.cli.outline.RuleOutline;
import dev.weir.http.ClientAddress;
import dev.weir.internal.text.MessageText;
import dev.weir.rules.RuleSet;
import dev.weir.rules.internal.read.MappingReader;
import dev.weir.rules.internal.yaml.FaultCollector;
import dev.weir.rules.internal.yaml.SourcePosition;
import dev.weir.rules.internal.yaml.YamlNode;
import dev.weir.rules.internal.yaml.YamlNode.Items;
import dev.weir.rules.internal.yaml.YamlNode.Mapping;
import dev.weir.rules.internal.yaml.YamlNode.Scalar;
import dev.weir.rules.internal.yaml.YamlReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads files of tests; every fault is collected. Not safe for many threads. */
final class TestFileReader {
  private static final List<String> FILE_KEYS = List.of("tests");
  private static final List<String> TEST_KEYS = List.of("name", "start", "requests");
  private static final Instant END = Instant.parse("2150-01-01T00:00:00Z");

  private final FaultCollector faults = new FaultCollector();
  private final TestStepReader steps;
  private final List<RuleTest> tests = new ArrayList<>();

  TestFileReader(RuleSet rules, ClientAddress addresses) {
    this.steps = new TestStepReader(limitNames(rules), addresses, faults);
  }

  /** Every limit by its name, and with its rule in front; empty if a test may name others. */
  private static Set<String> limitNames(RuleSet rules) {
    Set<String> names = new LinkedHashSet<>();
    if (!rules.descriptors().domains().isEmpty()) {
      return names; // descriptors can bring limits of their own
    }
    for (RuleOutline rule : RuleOutline.of(rules)) {
      for (LimitOutline limit : rule.limits()) {
        names.add(limit.name());
        names.add(rule.name() + "/" + limit.name());
      }
    }
    return names;
  }

  FaultCollector faults() {
    return faults;
  }

  /** The tests in the order of the files; complete only if there are no faults. */
  List<RuleTest> tests() {
    return tests;
  }

  void read(Path file) {
    SourcePosition start = SourcePosition.start(file.toString());
    try {
      YamlNode document = YamlReader.read(file.toString(), Files.readAllBytes(file), faults);
      if (document instanceof Mapping mapping) {
        readTests(new MappingReader("a file of tests", mapping, FILE_KEYS, faults));
      } else if (document != null) {
        faults.add(
            document.at(), "a file of tests must be a mapping with tests, was " + document.kind());
      }
    } catch (NoSuchFileException missing) {
      faults.add(start, "cannot read " + file + ": there is no such file");
    } catch (IOException unreadable) {
      faults.add(start, "cannot read " + file + ": " + unreadable.getMessage());
    }
  }

  private void readTests(MappingReader file) {
    YamlNode node = file.required("tests", "a list of at least one");
    if (node instanceof Items items && !items.values().isEmpty()) {
      items.values().forEach(this::readTest);
    } else if (node != null) {
      String found = node instanceof Items ? "an empty one" : node.kind();
      faults.add(node.at(), "tests must be a list of at least one, was " + found);
    }
  }

  private void readTest(YamlNode node) {
    if (!(node instanceof Mapping mapping)) {
      faults.add(node.at(), "a test must be a mapping with name and requests, was " + node.kind());
      return;
    }
    MappingReader test = new MappingReader("a test", mapping, TEST_KEYS, faults);
    Scalar name = test.requiredText("name", "what must hold");
    long startMicros = start(test.text("start"));
    List<TestStep> read = readSteps(test.required("requests", "a list of at least one"));
    tests.add(new RuleTest(name == null ? "?" : name.text(), mapping.at(), startMicros, read));
  }

  private List<TestStep> readSteps(@Nullable YamlNode node) {
    List<TestStep> read = new ArrayList<>();
    if (node instanceof Items items && !items.values().isEmpty()) {
      long lastMicros = 0;
      for (YamlNode item : items.values()) {
        TestStep step = steps.read(item, lastMicros);
        if (step != null) {
          read.add(step);
          lastMicros = Math.max(lastMicros, step.lastMicros());
        }
      }
    } else if (node != null) {
      String found = node instanceof Items ? "an empty one" : node.kind();
      faults.add(node.at(), "requests must be a list of at least one, was " + found);
    }
    return read;
  }

  /**
   * Time 0 unless a test says otherwise: every window that is aligned to the clock starts there.
   */
  private long start(@Nullable Scalar text) {
    if (text == null) {
      return 0;
    }
    try {
      Instant start = Instant.parse(text.text());
      if (!start.isBefore(Instant.EPOCH) && start.isBefore(END)) {
        return start.getEpochSecond() * 1_000_000 + start.getNano() / 1000;
      }
    } catch (DateTimeException malformed) {
      // said below
    }
    faults.add(
        text.at(),
        "start must be an instant between 1970 and 2149 such as 2026-03-01T08:00:00Z, was \""
            + MessageText.shown(text.text())
            + '"');
    return 0;
  }
}
