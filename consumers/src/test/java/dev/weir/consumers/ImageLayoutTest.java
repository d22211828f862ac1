package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The layout of the image, made by the script that the Dockerfile calls, and started. */
@Tag("slow") // needs the packaged jar
@Timeout(120)
final class ImageLayoutTest {
  private static final Path JAR = Path.of("../cli/target/weir.jar").toAbsolutePath();
  private static final Path SCRIPT = Path.of("../deploy/image/layout").toAbsolutePath();
  private static final Path DOCKERFILE = Path.of("../deploy/Dockerfile");

  @TempDir static Path folder;
  private static Path image;

  @BeforeAll
  static void layOut() throws Exception {
    image = layOut("image");
  }

  private static Path layOut(String name) throws Exception {
    Path target = folder.resolve(name);
    Run.Result made = new Run(SCRIPT.toString(), JAR.toString(), target.toString()).in(folder);
    assertThat(made.status()).as(made.output()).isZero();
    return target;
  }

  @Test
  void theTwoLayersHoldEveryClassOfTheJarOnce() throws IOException {
    Set<String> libraries = BundledArtifact.classes(image.resolve("lib/libraries.jar"));
    Set<String> own = BundledArtifact.classes(image.resolve("lib/weir.jar"));
    assertThat(libraries).noneMatch(name -> name.startsWith("dev/weir/"));
    assertThat(own).allMatch(name -> name.startsWith("dev/weir/"));
    assertThat(libraries.size() + own.size()).isEqualTo(BundledArtifact.classes(JAR).size());
  }

  @Test
  void theSameJarGivesTheSameBytes() throws Exception {
    Path again = layOut("again");
    for (String file : new String[] {"lib/libraries.jar", "lib/weir.jar"}) {
      assertThat(Files.mismatch(image.resolve(file), again.resolve(file))).as(file).isEqualTo(-1);
    }
  }

  @Test
  void theServiceStartsWithItsArchiveAndTheHealthCheckFindsItsPort() throws Exception {
    String weir = image.resolve("bin/weir").toString();
    assertThat(new Run(weir, "archive").in(folder).status()).isZero();
    assertThat(image.resolve("lib/weir.jsa")).isNotEmptyFile();
    assertThat(new Run(weir, "--version").in(folder).output())
        .contains(System.getProperty("weir.version"));
    int free = freePort();
    Process service =
        new ProcessBuilder(
                weir, "serve", "--host=127.0.0.1", "--port=" + free, "--drain=0", "--warm-up=0")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader out = service.inputReader()) {
      assertThat(out.readLine()).endsWith(":" + free);
      String ready = image.resolve("bin/ready").toString();
      assertThat(new Run(ready, "" + service.pid()).in(folder).status()).isZero();
      service.destroy();
      service.waitFor();
      String nobody = "" + ProcessHandle.current().pid();
      assertThat(new Run("env", "WEIR_PORT=" + free, ready, nobody).in(folder).status())
          .isNotZero();
    } finally {
      service.destroyForcibly();
    }
  }

  @Test
  void theDockerfileCopiesAndStartsWhatTheLayoutHas() throws IOException {
    String dockerfile = Files.readString(DOCKERFILE);
    Matcher paths = Pattern.compile("/opt/weir/((?:bin|lib)/[a-z.]+)").matcher(dockerfile);
    assertThat(paths.results().map(found -> found.group(1)).distinct())
        .contains("bin/weir", "bin/ready", "lib/libraries.jar", "lib/weir.jar")
        .allMatch(path -> path.endsWith(".jsa") || Files.exists(image.resolve(path)));
    assertThat(dockerfile).contains("\nUSER 10001\n").contains("\nEXPOSE 8080 8081\n");
  }

  private static int freePort() throws IOException {
    try (var socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
