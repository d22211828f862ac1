package dev.weir.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.weir.rules.internal.yaml.YamlReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One file per kind of mistake in {@code faults/}, and beside it all that is said about it. */
final class RuleFaultsTest {
  private static final Path FOLDER = Path.of("src", "test", "resources", "faults");

  static Stream<String> mistakes() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .map(name -> name.substring(0, name.length() - ".yaml".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void everyMistakeIsNamedWithItsPlaceAndWhatWasExpected(String name) throws IOException {
    assertThat(messages(FOLDER.resolve(name + ".yaml")) + "\n")
        .isEqualTo(Files.readString(FOLDER.resolve(name + ".txt")));
  }

  /** A rule can name any file of the machine by mistake, such as one with a token. */
  @Test
  void aFileWithOverridesIsNotQuoted(@TempDir Path folder) throws Exception {
    String rules =
        "rules: [{name: a, limits: [{name: b, key: c, limit: 1 per day, overrides-file: token}]}]";
    Path file = Files.writeString(folder.resolve("rules.yaml"), rules);
    for (String secret : List.of("hunter2", "password: hunter2", "hunter2: [", "- hunter2")) {
      Files.writeString(folder.resolve("token"), secret);
      assertThatThrownBy(() -> RuleSet.load(file))
          .isInstanceOf(InvalidRulesException.class)
          .hasMessageStartingWith(folder.resolve("token") + ":1:")
          .hasMessageContaining("a file with overrides must be a mapping from keys to limits")
          .hasMessageNotContaining("hunter2");
    }
  }

  @Test
  void aMissingFileIsNamed() {
    assertThat(messages(FOLDER.resolve("nowhere.yaml")))
        .isEqualTo("nowhere.yaml:1:1: cannot read nowhere.yaml: there is no such file");
  }

  @Test
  void anEnormousFileIsRefusedUnread(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("large.yaml");
    byte[] bytes = new byte[YamlReader.MAX_BYTES + 1];
    Arrays.fill(bytes, (byte) '#');
    Files.write(file, bytes);
    assertThat(messages(file))
        .isEqualTo("large.yaml:1:1: a file must be at most 16777216 bytes, was longer");
  }

  @Test
  void aDirectoryWithoutRuleFilesIsRefused(@TempDir Path folder) {
    assertThat(messages(folder))
        .endsWith("a directory must hold a .yaml or .yml file, was without");
  }

  @Test
  void faultsOfAllFilesAreReportedTogether(@TempDir Path folder) throws IOException {
    String rule = "rules: [{name: a, limits: [{name: ip, key: ip, limit: 1 per hour}]}]\n";
    Files.writeString(folder.resolve("a.yaml"), "store: memory\n" + rule);
    Files.writeString(folder.resolve("b.yml"), "store: redis://localhost\n" + rule);
    Files.writeString(folder.resolve(".hidden.yaml"), "not read");
    Files.writeString(folder.resolve("read.me"), "not read");
    assertThat(messages(folder))
        .isEqualTo(
            "b.yml:1:8: store must be the same in all files, was another in a.yaml:1\n"
                + "b.yml:2:16: rule \"a\" must be there once, was also in a.yaml:2");
  }

  @Test
  void aFileOfOverridesMayStandAmongTheRulesOfADirectory(@TempDir Path folder) throws IOException {
    Files.writeString(
        folder.resolve("a.yaml"),
        "rules: [{name: a, limits: [{name: b, key: c, limit: 1 per day, overrides-file: t.yaml}]}]");
    Files.writeString(folder.resolve("t.yaml"), "acme: 9 per day");
    assertThat(Requests.claim(RuleSet.load(folder), "c=acme").policy().limit().permits())
        .isEqualTo(9);
  }

  @Test
  void ofManyFaultsTheMessageNamesTheFirstTwentyAndHowManyMore() {
    String yaml = "rules:\n" + "  - {}\n".repeat(30_000);
    InvalidRulesException refused =
        catchThrowableOfType(InvalidRulesException.class, () -> RuleSet.parse("text", yaml));

    int all = refused.faults().size();
    assertThat(all).isGreaterThanOrEqualTo(30_000);
    assertThat(refused.getMessage().lines()).hasSize(21);
    assertThat(refused.getMessage())
        .startsWith("text:2:5: ")
        .endsWith("\nand " + (all - 20) + " more");
  }

  @Test
  void whatIsNotTextInUtf8IsAFaultWithItsPlace() {
    byte[] latin = "rules:\n  - name: caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);
    assertThat(
            catchThrowableOfType(InvalidRulesException.class, () -> RuleSet.parse("text", latin)))
        .hasMessage("text:2:14: a file must be text in UTF-8, was byte 0xe9");
  }

  @Test
  void aPipeIsNotWaitedFor(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe.yaml");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    String yaml =
        "rules:\n  - name: a\n    limits:\n"
            + "      - {name: b, limit: 1 per hour, key: user, overrides-file: pipe.yaml}\n";
    Path file = Files.writeString(folder.resolve("weir.yaml"), yaml);

    String overrides =
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> faultsOf(file).getMessage());
    String rules =
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> faultsOf(pipe).getMessage());

    assertThat(overrides).endsWith("cannot read " + pipe + ": it is not a regular file");
    assertThat(rules).endsWith("cannot read " + pipe + ": it is not a regular file");
  }

  private static InvalidRulesException faultsOf(Path file) {
    return catchThrowableOfType(InvalidRulesException.class, () -> RuleSet.load(file));
  }

  @Test
  void overridesInAFileNeedRulesInAFile() {
    String yaml =
        "rules: [{name: a, limits: [{name: b, key: c, limit: 1 per day, overrides-file: x}]}]";
    assertThat(catchThrowableOfType(InvalidRulesException.class, () -> RuleSet.parse("text", yaml)))
        .hasMessage("text:1:80: overrides-file is for rules in a file, was given without one");
  }

  /** The whole text, without the folders of this machine. */
  private static String messages(Path file) {
    InvalidRulesException faults =
        catchThrowableOfType(InvalidRulesException.class, () -> RuleSet.load(file));
    assertThat(faults).as("there is a fault in %s", file).isNotNull();
    return faults.getMessage().replace(file + "/", "").replace(file.getParent() + "/", "");
  }
}
