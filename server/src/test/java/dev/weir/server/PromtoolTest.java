package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.ExternalPrograms;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus itself says of our alerts, our dashboard and our metrics. */
@Tag("slow")
@Tag("external")
@Timeout(60)
final class PromtoolTest {
  private static final Path FOLDER = DeployFiles.FOLDER.resolve("prometheus");

  @TempDir private Path temporary;
  private Path promtool;

  private record Result(int status, String text) {}

  @BeforeEach
  void find() {
    promtool = ExternalPrograms.require(onPath("promtool"), "promtool (Debian package prometheus)");
  }

  @Test
  void theAlertsAreValid() throws Exception {
    assertPasses(run("check", "rules", FOLDER.resolve("alerts.yml").toString()));
  }

  @Test
  void theAlertsFireWhenTheyShould() throws Exception {
    assertPasses(run("test", "rules", FOLDER.resolve("alerts_test.yml").toString()));
  }

  @Test
  void theConfigurationIsValid() throws Exception {
    assertPasses(run("check", "config", FOLDER.resolve("prometheus.yml").toString()));
  }

  @Test
  void everyExpressionOfTheDashboardIsValid() throws Exception {
    List<String> expressions = DeployFiles.dashboardExpressions();
    StringBuilder rules = new StringBuilder("groups:\n- name: dashboard\n  rules:\n");
    for (int i = 0; i < expressions.size(); i++) {
      rules.append("  - record: panel:").append(i).append("\n    expr: |\n      ");
      rules.append(expressions.get(i)).append("\n");
    }
    Path file = Files.writeString(temporary.resolve("dashboard.yml"), rules);
    Result result = run("check", "rules", file.toString());
    assertPasses(result);
    assertThat(result.text).contains("SUCCESS: " + expressions.size() + " rules found");
  }

  @Test
  void ourMetricsAreNamedAsPrometheusWants() throws Exception {
    assertPasses(checkMetrics(ours(Scrape.ofMemory())));
    assertPasses(checkMetrics(ours(Scrape.ofStoreThatIsAway())));
  }

  /** Those that Micrometer names are read without an error; their names are its own affair. */
  @Test
  void theWholeTextCanBeRead() throws Exception {
    assertThat(checkMetrics(Scrape.ofMemory()).text)
        .isEqualTo(
            """
            process_cpu_time_ns_total metric names should not contain abbreviated units
            system_cpu_count non-histogram and non-summary metrics should not have "_count" suffix
            """);
  }

  private static String ours(String text) {
    return text.lines()
        .filter(line -> line.matches("(# (HELP|TYPE) )?weir_.*"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static void assertPasses(Result result) {
    assertThat(result.status).as(result.text).isZero();
  }

  private Result checkMetrics(String text) throws IOException, InterruptedException {
    Path input = Files.writeString(temporary.resolve("metrics.txt"), text);
    return run(input, "check", "metrics");
  }

  private Result run(String... arguments) throws IOException, InterruptedException {
    return run(Path.of("/dev/null"), arguments);
  }

  private Result run(Path input, String... arguments) throws IOException, InterruptedException {
    List<String> command =
        Stream.concat(Stream.of(promtool.toString()), Arrays.stream(arguments)).toList();
    Path output = temporary.resolve("output");
    Process process =
        new ProcessBuilder(command)
            .redirectInput(input.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError(command + " did not end");
    }
    return new Result(process.exitValue(), Files.readString(output));
  }

  private static Optional<Path> onPath(String program) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Arrays.stream(path.split(File.pathSeparator))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
