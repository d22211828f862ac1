package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ExternalPrograms;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Dockerfile, and the shell scripts of the project, as linters read them. */
final class DockerfileTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCKERFILE = ROOT.resolve("deploy/Dockerfile");

  /** What other tests run, and what users do. */
  private static final List<String> SCRIPTS =
      List.of(
          "weir",
          ".ci/run",
          ".ci/reproducible",
          "deploy/dist/bin/make-runtime",
          "deploy/dist/bin/weir",
          "deploy/image/layout",
          "deploy/image/ready",
          "deploy/image/weir");

  @Test
  void everyBaseImageHasATagWithAVersion() throws IOException {
    assertThat(arguments("FROM"))
        .hasSize(2)
        .allMatch(image -> image.split(" ")[0].matches("[a-z/-]+:\\d[a-z0-9.-]*"));
  }

  @Test
  void theServiceRunsAsAUserWithoutRights() throws IOException {
    assertThat(arguments("USER")).last().asString().matches("[1-9]\\d{3,}");
  }

  @Test
  void theServiceIsTheFirstProcessAndItsHealthIsChecked() throws IOException {
    assertThat(arguments("ENTRYPOINT")).singleElement().asString().matches("\\[\".*\"]");
    assertThat(arguments("HEALTHCHECK")).singleElement().asString().matches(".* CMD \\[\".*\"]");
  }

  @Test
  void nothingIsFetchedOrKeptThatShouldNotBe() throws IOException {
    assertThat(arguments("ADD")).isEmpty();
    assertThat(Stream.concat(arguments("ENV").stream(), arguments("ARG").stream()))
        .hasSize(1)
        .noneMatch(variable -> variable.matches("(?i).*(password|secret|token|key|credential).*"));
    assertThat(arguments("RUN"))
        .noneMatch(command -> command.matches(".*\\b(sudo|curl|wget|apt-get|chmod 777)\\b.*"));
  }

  /**
   * By the npm package {@code dockerlinter}, whose rules follow hadolint's; {@code NODE_PATH} names
   * where it is installed. It hands the commands of RUN to shellcheck.
   */
  @Test
  @Tag("external")
  void aLinterFindsNothing(@TempDir Path folder) throws Exception {
    String modules = System.getenv().getOrDefault("NODE_PATH", "none");
    Path program = Path.of(modules, "dockerlinter", "bin", "dockerfilelinter");
    ExternalPrograms.require(Optional.of(program).filter(Files::exists), "dockerlinter (npm)");
    ExternalPrograms.require(shellcheck(), "shellcheck");
    Run.Result ours = lint(program, DOCKERFILE, folder);
    assertThat(ours.status()).as(ours.output()).isZero();
    Path faulty = folder.resolve("Dockerfile");
    Files.writeString(
        faulty, text().replace("USER 10001", "USER root").replace("&& chmod 644", "&& cd $HOME"));
    assertThat(lint(program, faulty, folder).output()).contains("EU0001", "SC2164");
  }

  /** It leaves files where it is started. */
  private static Run.Result lint(Path program, Path file, Path folder) throws Exception {
    String[] command = {
      "node", program.toString(), "-f", file.toString(), "-s", "sh", "-e", "info"
    };
    return new Run(command).in(folder);
  }

  @Test
  @Tag("external")
  void theShellScriptsHaveNoFaultThatShellcheckFinds() throws Exception {
    Path program = ExternalPrograms.require(shellcheck(), "shellcheck");
    Run.Result result =
        new Run(
                Stream.concat(Stream.of(program.toString()), SCRIPTS.stream())
                    .toArray(String[]::new))
            .in(ROOT);
    assertThat(result.status()).as(result.output()).isZero();
  }

  private static Optional<Path> shellcheck() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "shellcheck"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** What stands behind an instruction, each time it is used, on one line. */
  private static List<String> arguments(String instruction) throws IOException {
    return text()
        .replaceAll("\\\\\n\\s*", "")
        .lines()
        .filter(line -> line.startsWith(instruction + " "))
        .map(line -> line.substring(instruction.length() + 1))
        .toList();
  }

  private static String text() throws IOException {
    return Files.readString(DOCKERFILE);
  }
}
