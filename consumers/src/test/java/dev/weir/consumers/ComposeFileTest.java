package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ExternalPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The compose file fits the service, the image and the files beside it. */
@Tag("slow") // needs the packaged jar
final class ComposeFileTest {
  private static final Path DEPLOY = Path.of("../deploy");
  private static final Path JAR = Path.of("../cli/target/weir.jar").toAbsolutePath();

  private final Map<?, ?> services = (Map<?, ?>) yaml("compose.yaml").get("services");

  @Test
  void theServiceIsStartedWithOptionsThatItHas() throws Exception {
    Set<String> known =
        options(
            List.of(
                new Run("java", "-jar", JAR.toString(), "serve", "--help").in(DEPLOY).output()));
    assertThat(options(strings("weir", "command"))).hasSize(3).isSubsetOf(known);
  }

  @Test
  void portsAreOpenOnThisMachineOnlyAndAreThoseOfTheServices() {
    assertThat(strings("weir", "ports")).containsExactly("127.0.0.1:8080:8080");
    for (Object name : services.keySet()) {
      assertThat(strings((String) name, "ports")).allMatch(port -> port.startsWith("127.0.0.1:"));
    }
    assertThat(text("prometheus/prometheus.yml")).contains("weir:8080", "alertmanager:9093");
    assertThat(strings("alertmanager", "ports")).containsExactly("127.0.0.1:9093:9093");
  }

  @Test
  void everyMountedFileIsThere() {
    for (Object name : services.keySet()) {
      for (String volume : strings((String) name, "volumes")) {
        String source = volume.substring(0, volume.indexOf(':'));
        if (source.startsWith("./")) {
          assertThat(DEPLOY.resolve(source)).exists();
        }
      }
    }
  }

  @Test
  void theRootFileSystemIsReadOnlyAndTheTimeToStopIsLongerThanTheDrain() {
    Map<?, ?> weir = (Map<?, ?>) services.get("weir");
    assertThat(weir.get("read_only")).isEqualTo(true);
    assertThat(strings("weir", "tmpfs")).containsExactly("/tmp");
    assertThat(weir.get("stop_grace_period")).isEqualTo("30s");
  }

  /** By the npm package {@code dclint}; {@code NODE_PATH} names where it is installed. */
  @Test
  @Tag("external")
  void theComposeFileFitsItsPublishedSchema(@TempDir Path folder) throws Exception {
    String modules = System.getenv().getOrDefault("NODE_PATH", "none");
    Path program = Path.of(modules, "dclint", "bin", "dclint.cjs");
    ExternalPrograms.require(Optional.of(program).filter(Files::exists), "dclint (npm)");
    Path misspelt = folder.resolve("compose.yaml");
    Files.writeString(misspelt, text("compose.yaml").replace("stop_grace_period", "stop_period"));
    Run.Result ours = lint(program, DEPLOY.resolve("compose.yaml").toAbsolutePath());
    assertThat(ours.status()).as(ours.output()).isZero();
    assertThat(lint(program, misspelt).output()).contains("ComposeValidationError");
  }

  /** Its warnings are about the order of keys. */
  private static Run.Result lint(Path program, Path file) throws Exception {
    return new Run("node", program.toString(), "--quiet", file.toString()).in(DEPLOY);
  }

  private List<String> strings(String service, String member) {
    Object value = ((Map<?, ?>) services.get(service)).get(member);
    return value instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  private static Set<String> options(List<String> texts) {
    return texts.stream()
        .flatMap(text -> Pattern.compile("--[a-z0-9-]+").matcher(text).results())
        .map(found -> found.group())
        .collect(Collectors.toSet());
  }

  private static Map<?, ?> yaml(String file) {
    return (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(text(file));
  }

  private static String text(String file) {
    try {
      return Files.readString(DEPLOY.resolve(file));
    } catch (IOException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
