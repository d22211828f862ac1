package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir serve} as a process of its own, as somebody runs it. */
@Timeout(60)
final class ServeProcessTest {
  private static final String QUESTION =
      "{\"attributes\": {\"path\": \"/login\", \"method\": \"POST\", \"email\": \"a@example.org\"}}";

  @TempDir Path directory;

  @Test
  void aNewcomerSeesWhatRunsAndGetsADenialWithItsFields() throws Exception {
    Process process = serve();
    try (BufferedReader out = process.inputReader()) {
      List<String> screen = screen(out);
      assertThat(screen.get(0)).matches("Weir serves on http://localhost:\\d+");
      assertThat(screen).contains("  store    memory", "Try", "Ctrl-C stops it.");
      int port = port(screen.get(0));
      for (int i = 0; i < 3; i++) {
        assertThat(post(port).getResponseCode()).isEqualTo(200);
      }
      HttpURLConnection denied = post(port);
      assertThat(denied.getResponseCode()).isEqualTo(429);
      assertThat(denied.getHeaderField("Retry-After")).matches("\\d+");
      assertThat(denied.getHeaderField("RateLimit")).startsWith("\"login-email\";r=0;t=");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aTermSignalDrainsAndThenStops() throws Exception {
    Process process = serve("--drain", "1500");
    try (BufferedReader out = process.inputReader()) {
      int port = port(screen(out).get(0));
      process.destroy();
      await().until(() -> status(port, "/readyz") == 503);
      assertThat(post(port).getResponseCode()).isEqualTo(200);
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void aLogInJsonHasOneObjectPerLine() throws Exception {
    Path rules = Files.writeString(directory.resolve("weir.yaml"), rules("10 per minute"));
    Process process = serve("--log", "json");
    try (BufferedReader out = process.inputReader();
        BufferedReader err = process.errorReader()) {
      screen(out);
      Files.writeString(rules, rules("0 per \"minute"));
      String line = err.readLine();
      assertThat(line).startsWith("{\"time\":\"20").endsWith("}");
      assertThat(line)
          .contains("\"level\":\"severe\"")
          .contains("new rules were refused, those before stay in effect:\\n");
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void faultyRulesStopTheStartWithTheirPlaces() throws Exception {
    Files.writeString(directory.resolve("weir.yaml"), "rules:\n  - nam: x\n");
    Process process = serve();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    assertThat(process.errorReader().lines()).anyMatch(line -> line.startsWith("weir.yaml:2:5: "));
  }

  private static String rules(String limit) {
    return """
        rules:
          - name: a
            limits:
              - {name: b, key: ip, limit: %s}
        """
        .formatted(limit);
  }

  private Process serve(String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Weir.class.getName()));
    command.addAll(List.of("serve", "--host", "127.0.0.1", "--port", "0"));
    command.addAll(List.of(options));
    return new ProcessBuilder(command).directory(directory.toFile()).start();
  }

  private static List<String> screen(BufferedReader out) throws IOException {
    List<String> lines = new ArrayList<>();
    String line = out.readLine();
    while (line != null && !line.equals("Ctrl-C stops it.")) {
      lines.add(line);
      line = out.readLine();
    }
    lines.add(String.valueOf(line));
    return lines;
  }

  private static int port(String line) {
    return Integer.parseInt(line.substring(line.lastIndexOf(':') + 1));
  }

  private static HttpURLConnection post(int port) throws IOException {
    HttpURLConnection connection = connection(port, "/v1/check");
    connection.setDoOutput(true);
    connection.getOutputStream().write(QUESTION.getBytes(StandardCharsets.UTF_8));
    return connection;
  }

  private static int status(int port, String path) throws IOException {
    return connection(port, path).getResponseCode();
  }

  private static HttpURLConnection connection(int port, String path) throws IOException {
    return (HttpURLConnection) new URL("http://127.0.0.1:" + port + path).openConnection();
  }
}
