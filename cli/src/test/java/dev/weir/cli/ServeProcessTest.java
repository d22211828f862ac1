package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir serve} as a process of its own, as somebody runs it. */
@Tag("slow")
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
      terminate(process);
      await().until(() -> status(port, "/readyz") == 503);
      assertThat(post(port).getResponseCode()).isEqualTo(200);
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
      List<String> log = process.errorReader().lines().toList();
      assertThat(log).hasSize(3);
      assertThat(log.get(0)).contains("INFO serving on 127.0.0.1:" + port + ", store memory, ");
      assertThat(log.get(1))
          .endsWith("stopping: not ready any more, answering for another 1500 ms");
      assertThat(log.get(2)).endsWith("INFO stopped");
      FaultReport.row(
          "59 SIGTERM, drain 1500 ms", 1, "not ready first, answers meanwhile; exit code 143");
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
      assertThat(err.readLine()).contains("serving on 127.0.0.1:");
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

  @Test
  void whatCannotStartSaysSoInOneLineAndEndsWith1() throws Exception {
    Files.writeString(directory.resolve("weir.yaml"), rules("10 per minute"));
    assertThat(refusal("--tls-cert", "none.pem", "--tls-key", "none.pem"))
        .containsExactly("--tls-cert cannot be read: none.pem");
    assertThat(refusal("--store-file", "none"))
        .containsExactly("--store-file cannot be read: none");
    Files.writeString(directory.resolve("bad.pem"), "no certificate");
    assertThat(refusal("--tls-cert", "bad.pem", "--tls-key", "bad.pem"))
        .singleElement()
        .asString()
        .startsWith("cannot listen on 127.0.0.1:");
    assertThat(refusal("--config", "none.yaml"))
        .containsExactly("none.yaml:1:1: cannot read none.yaml: there is no such file", "1 fault");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      assertThat(refusal("--port", String.valueOf(taken.getLocalPort())))
          .singleElement()
          .asString()
          .startsWith("cannot listen on 127.0.0.1:" + taken.getLocalPort());
    }
    FaultReport.row(
        "66 rules or files missing, certificate unreadable, port taken",
        5,
        "one line, or one per fault and their number; exit code 1");
  }

  @Test
  void theAddressOfTheStoreIsReadFromAFileAndItsPasswordShownNowhere() throws Exception {
    Files.writeString(directory.resolve("weir.yaml"), rules("10 per minute"));
    Path store = Files.writeString(directory.resolve("store"), "redis://:hunter2@127.0.0.1:1\n");
    Process process = serve("--store-file", store.toString(), "--drain", "0");
    try (BufferedReader out = process.inputReader()) {
      List<String> screen = screen(out);
      assertThat(screen).contains("  store    redis://***@127.0.0.1:1");
      terminate(process);
      assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(process.errorReader().lines()).noneMatch(line -> line.contains("hunter2"));
    } finally {
      process.destroyForcibly();
    }
  }

  /** One line when Redis is lost and one when it is degraded, however often it is tried. */
  @Test
  void anOutageIsLoggedOncePerChangeAndClientsThatResetNotAtAll() throws Exception {
    Files.writeString(directory.resolve("weir.yaml"), rules("10 per minute"));
    try (RedisProcess redis = RedisProcess.start()) {
      Process process = serve("--store", redis.uri(), "--shared-rules", "--drain", "3000");
      try (BufferedReader out = process.inputReader()) {
        int port = port(screen(out).get(0));
        HttpURLConnection first = post(port, "{\"attributes\": {\"ip\": \"192.0.2.1\"}}");
        assertThat(new String(first.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .as("the first answer of a fresh process")
            .contains("\"source\":\"store\"");
        for (int i = 0; i < 20; i++) {
          reset(port);
        }
        redis.kill();
        await().until(() -> text(port, "/healthz").contains("degraded"));
        terminate(process);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        List<String> log = process.errorReader().lines().toList();
        assertThat(log).as(String.join("\n", log)).hasSizeLessThan(9);
        assertThat(log).noneMatch(line -> line.startsWith("\tat "));
      } finally {
        process.destroyForcibly();
      }
    }
  }

  /** Sends half a request and resets the connection. */
  private static void reset(int port) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoLinger(true, 0);
      socket.getOutputStream().write("POST /v1/check HTTP/1.1\r\nHost: a\r\n".getBytes());
    }
  }

  private static String text(int port, String path) throws IOException {
    try (InputStream in = connection(port, path).getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private List<String> refusal(String... options) throws Exception {
    Process process = serve(options);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(1);
    return process.errorReader().lines().toList();
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
    command.addAll(List.of("serve", "--host", "127.0.0.1", "--warm-up", "0"));
    command.addAll(List.of(options));
    if (!command.contains("--port")) {
      command.addAll(List.of("--port", "0"));
    }
    return new ProcessBuilder(command).directory(directory.toFile()).start();
  }

  /** Sends SIGTERM; unlike {@link Process#destroy} it leaves the log to be read. */
  private static void terminate(Process process) {
    process.toHandle().destroy();
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
    return post(port, QUESTION);
  }

  private static HttpURLConnection post(int port, String question) throws IOException {
    HttpURLConnection connection = connection(port, "/v1/check");
    connection.setDoOutput(true);
    connection.getOutputStream().write(question.getBytes(StandardCharsets.UTF_8));
    return connection;
  }

  private static int status(int port, String path) throws IOException {
    return connection(port, path).getResponseCode();
  }

  private static HttpURLConnection connection(int port, String path) throws IOException {
    return (HttpURLConnection) new URL("http://127.0.0.1:" + port + path).openConnection();
  }
}
