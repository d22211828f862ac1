package dev.weir.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The container of the chart, started here with its arguments, its files and its probes. */
@Tag("slow") // needs the packaged jar
@Timeout(120)
final class PodTest {
  private static final Path JAR = Path.of("../cli/target/weir.jar").toAbsolutePath();

  @TempDir Path root;
  private final RenderedChart chart = RenderedChart.with(Map.of());
  private final Object container =
      RenderedChart.at(chart.manifest("Deployment"), "spec/template/spec/containers/0");
  private final HttpClient client = HttpClient.newHttpClient();
  private int http;
  private int admin;
  private Process service;

  @BeforeEach
  void start() throws IOException {
    http = freePort();
    admin = freePort();
    mountRules("..1", rules());
    Files.createDirectories(root.resolve("run/secrets/weir"));
    Files.writeString(root.resolve("run/secrets/weir/store"), "memory\n");
    Files.writeString(root.resolve("run/secrets/weir/admin-token"), "0123456789abcdef\n");
    List<String> command = new ArrayList<>(List.of("java", "-jar", JAR.toString(), "serve"));
    ((List<?>) RenderedChart.at(container, "args"))
        .forEach(each -> command.add(here((String) each)));
    command.add("--warm-up=0");
    service = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader out = service.inputReader();
    assertThat(out.readLine()).startsWith("Weir serves on ");
  }

  @AfterEach
  void stop() {
    service.destroyForcibly();
  }

  /** Ports that are free, and paths below a directory of this test. */
  private String here(String argument) {
    return argument
        .replace("--port=8080", "--host=127.0.0.1")
        .replace("--grpc-port=8081", "--port=" + http)
        .replace("--admin-port=8082", "--admin-port=" + admin)
        .replace("=/", "=" + root + "/");
  }

  @Test
  void everyProbeIsAnswered() throws Exception {
    for (String probe : List.of("startupProbe", "readinessProbe", "livenessProbe")) {
      assertThat(RenderedChart.at(container, probe + "/httpGet/port")).isEqualTo("admin");
      String path = (String) RenderedChart.at(container, probe + "/httpGet/path");
      assertThat(get(admin, path).statusCode()).as(probe).isEqualTo(200);
    }
    assertThat(get(admin, "/metrics").body()).contains("weir_rules_info");
    assertThat(get(http, "/metrics").statusCode()).isEqualTo(404);
  }

  /** The kubelet writes a new directory beside the old one, and renames the link to it. */
  @Test
  void aChangedConfigMapIsInUseWithoutARestart() throws Exception {
    String before = get(admin, "/healthz").body();
    mountRules("..2", rules().replace("10 per minute", "11 per minute"));
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> !hash(get(admin, "/healthz").body()).equals(hash(before)));
  }

  private static String hash(String health) {
    return health.replaceAll("(?s).*\"rulesHash\":\"([^\"]+)\".*", "$1");
  }

  private String rules() {
    return (String) RenderedChart.at(chart.manifest("ConfigMap"), "data/weir.yaml");
  }

  private void mountRules(String version, String text) throws IOException {
    Path mount = Files.createDirectories(root.resolve("etc/weir"));
    Files.createDirectories(mount.resolve(version));
    Files.writeString(mount.resolve(version).resolve("weir.yaml"), text);
    Path next = Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of(version));
    Files.move(next, mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
    if (!Files.exists(mount.resolve("weir.yaml"))) {
      Files.createSymbolicLink(mount.resolve("weir.yaml"), Path.of("..data", "weir.yaml"));
    }
  }

  private HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return client.send(request, BodyHandlers.ofString());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
