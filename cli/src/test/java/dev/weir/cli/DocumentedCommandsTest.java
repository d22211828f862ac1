package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cli.console.Terminal;
import dev.weir.rules.RuleSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Commands, options and rules in the documentation are those that the program knows. */
final class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern BLOCK =
      Pattern.compile("^ *```(\\w*)\n(.*?)^ *```", Pattern.DOTALL | Pattern.MULTILINE);
  private static final Pattern COMMAND =
      Pattern.compile("(?m)(?:^|[|&;] *|-jar )(?:\\S*/)?weir(?:\\.jar)? +([a-z]+)\\b([^|&;#\n]*)");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
  private static final Set<String> OF_ALL = Set.of("--help", "--version");

  private static final Map<String, Set<String>> KNOWN = new ConcurrentHashMap<>();

  /** One command line, or one block of rules, and the page it stands on. */
  record Found(String page, String text) {
    @Override
    public String toString() {
      return page + ": " + text.lines().findFirst().orElse("");
    }
  }

  static Stream<Path> pages() {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"));
        Stream<Path> deploy = Files.walk(ROOT.resolve("deploy"))) {
      return Stream.concat(
          Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
          Stream.concat(docs, deploy).filter(file -> file.toString().endsWith(".md")))
          .toList()
          .stream();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Stream<Found> blocks(String language) {
    return pages()
        .flatMap(
            page ->
                BLOCK
                    .matcher(text(page))
                    .results()
                    .filter(block -> block.group(1).equals(language))
                    .map(block -> new Found(ROOT.relativize(page).toString(), block.group(2))));
  }

  static Stream<Found> commands() {
    return Stream.of("", "sh", "bash", "console")
        .flatMap(DocumentedCommandsTest::blocks)
        .flatMap(
            block ->
                COMMAND
                    .matcher(block.text.replaceAll("\\\\\n *", " "))
                    .results()
                    .map(found -> new Found(block.page, found.group(1) + found.group(2))));
  }

  static Stream<Found> rules() {
    return blocks("yaml")
        .filter(block -> Pattern.compile("(?m)^(rules|domain):").matcher(block.text).find());
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandAndItsOptionsExist(Found command) {
    String name = command.text.split("[^a-z]", 2)[0];
    assertThat(options(name)).as(command.page).containsAll(optionsIn(command.text));
  }

  @ParameterizedTest
  @MethodSource("rules")
  void everyRuleFileIsValid(Found block) {
    String text = block.text.replaceAll("(?m)^ *overrides-file:.*\n", "");
    assertThat(RuleSet.parse(block.page, text)).isNotNull();
  }

  @Test
  void thereIsSomethingToCheck() {
    assertThat(commands()).hasSizeGreaterThan(15);
    assertThat(rules()).hasSizeGreaterThan(10);
  }

  /** The pages that list them: what is not there nobody finds. */
  @Test
  void everyOptionOfTheServiceIsDocumented() {
    Set<String> documented =
        Stream.of("docs/service.md", "docs/envoy.md")
            .flatMap(page -> optionsIn(text(ROOT.resolve(page))).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> known = new TreeSet<>(options("serve"));
    known.removeAll(OF_ALL);
    assertThat(documented).containsAll(known);
  }

  /** As its help shows them; a command that does not exist has none. */
  private static Set<String> options(String command) {
    return KNOWN.computeIfAbsent(
        command,
        name -> {
          StringWriter out = new StringWriter();
          PrintWriter writer = new PrintWriter(out, true);
          int status = Weir.run(Terminal.PLAIN, writer, writer, name, "--help");
          assertThat(status).as("weir " + name).isZero();
          Set<String> options = optionsIn(out.toString());
          options.addAll(OF_ALL);
          return options;
        });
  }

  private static Set<String> optionsIn(String text) {
    return OPTION
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String text(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
