package dev.weir.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script in the project root, run over a small copy of the project with a false java and mvn.
 */
@DisabledOnOs(OS.WINDOWS)
final class ScriptTest {
  private static final String MAVEN = "mkdir -p cli/target; touch cli/target/weir.jar";

  @TempDir private Path folder;
  private Path root;
  private Path programs;

  @BeforeEach
  void layOut() throws IOException {
    root = Files.createDirectory(folder.resolve("a project"));
    programs = Files.createDirectory(folder.resolve("some programs"));
    Files.createDirectories(root.resolve("core/src/main"));
    Files.createDirectories(root.resolve("cli/src/main"));
    for (String file : List.of("pom.xml", "core/pom.xml", "cli/pom.xml", "core/src/main/A.java")) {
      Files.createFile(root.resolve(file));
    }
    Files.copy(Path.of("..", "weir"), root.resolve("weir"));
    java("17.0.1");
    program("mvn", MAVEN);
  }

  @Test
  void theFirstRunBuildsAndPassesTheArgumentsOn() throws Exception {
    Run run = weir("check", "user=a b");
    assertThat(run.err).isEqualTo("Building Weir, once...\n");
    assertThat(run.out)
        .isEqualTo(
            "[-XX:+ExitOnOutOfMemoryError][-XX:MaxGCPauseMillis=50][-jar]["
                + jar()
                + "][check][user=a b]\n");
    assertThat(run.code).isZero();
  }

  @Test
  void theSecondRunDoesNotBuild() throws Exception {
    builtAfterEverySource();
    assertThat(weir().err).isEmpty();
  }

  @Test
  void aNewerSourceBuildsAgain() throws Exception {
    for (String source : List.of("pom.xml", "core/pom.xml", "core/src/main/A.java")) {
      builtAfterEverySource();
      Files.setLastModifiedTime(
          root.resolve(source), FileTime.from(Instant.now().plusSeconds(3600)));
      assertThat(weir().err).as(source).startsWith("Building");
      Files.setLastModifiedTime(root.resolve(source), FileTime.from(Instant.now()));
    }
  }

  @Test
  void aFailedBuildShowsWhatMavenSaid() throws Exception {
    program("mvn", "echo '[ERROR] no such symbol'; exit 1");
    Run run = weir();
    assertThat(run.code).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err)
        .isEqualTo(
            "Building Weir, once...\n[ERROR] no such symbol\n"
                + "weir: the build failed; Maven's words are above.\n");
  }

  @Test
  void anOldJavaIsNamed() throws Exception {
    java("11.0.2");
    assertThat(weir().err)
        .isEqualTo("weir: Java 17 or newer is needed, and " + programs + "/java is 11.\n");
  }

  @Test
  void aJavaBeforeNineIsTooOldToo() throws Exception {
    java("1.8.0_402");
    assertThat(weir().err).contains("Java 17 or newer is needed");
  }

  @Test
  void javaHomeComesBeforeThePath() throws Exception {
    Path home = Files.createDirectories(folder.resolve("java home"));
    Run run = weir(Map.of("JAVA_HOME", home.toString()));
    assertThat(run.err).isEqualTo("weir: JAVA_HOME has no bin/java: " + home + "\n");
  }

  @Test
  void itFindsItsProjectThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("linked"), Path.of("a project", "weir"));
    assertThat(start(link, Map.of()).out)
        .isEqualTo("[-XX:+ExitOnOutOfMemoryError][-XX:MaxGCPauseMillis=50][-jar][" + jar() + "]\n");
  }

  private record Run(int code, String out, String err) {}

  private Run weir(String... args) throws Exception {
    return start(root.resolve("weir"), Map.of(), args);
  }

  private Run weir(Map<String, String> environment) throws Exception {
    return start(root.resolve("weir"), environment);
  }

  private Run start(Path script, Map<String, String> environment, String... args) throws Exception {
    ProcessBuilder builder = new ProcessBuilder("bash", script.toString());
    builder.command().addAll(List.of(args));
    builder.directory(folder.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().merge("PATH", programs.toString(), (path, ours) -> ours + ":" + path);
    builder.environment().putAll(environment);
    Path err = folder.resolve("err");
    Process process = builder.redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Run(process.waitFor(), out, Files.readString(err));
  }

  /** One that says its version, or else what it was asked. */
  private void java(String version) throws IOException {
    program(
        "java",
        "[ \"$1\" = -version ] && { echo 'openjdk version \"" + version + "\" 2025' >&2; exit; }",
        "printf '[%s]' \"$@\"; echo");
  }

  private void program(String name, String... lines) throws IOException {
    Path program = programs.resolve(name);
    Files.writeString(program, "#!/usr/bin/env bash\n" + String.join("\n", lines) + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private void builtAfterEverySource() throws IOException {
    Files.createDirectories(jar().getParent());
    Files.write(jar(), new byte[0]);
    Files.setLastModifiedTime(jar(), FileTime.from(Instant.now().plusSeconds(60)));
  }

  private Path jar() throws IOException {
    return root.toRealPath().resolve("cli/target/weir.jar");
  }
}
