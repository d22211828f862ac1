package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the service starts and ends. */
@Tag("slow")
final class StopTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");

  @TempDir Path directory;

  @Test
  void aStoppingServiceIsNotReadyFirstAndStillAnswers() throws InterruptedException {
    RunningService service =
        RunningService.start(RunningService.options(directory).drain(Duration.ofSeconds(2)));
    assertThat(service.http.get("/readyz").status()).isEqualTo(200);
    Thread stopping = new Thread(service::close);
    stopping.start();

    await().until(() -> service.http.get("/readyz").status() == 503);
    assertThat(service.http.get("/healthcheck").status()).isEqualTo(503);
    assertThat(service.http.get("/healthz").json().getString("status")).isEqualTo("draining");
    assertThat(service.http.check(ANN).status()).isEqualTo(200);

    stopping.join(10_000);
    assertThatThrownBy(() -> service.http.get("/healthz")).isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (RunningService first = RunningService.start(directory)) {
      int port = first.server.port();
      ServerOptions same = RunningService.options(directory).port(port);
      assertThatThrownBy(() -> WeirServer.start(same))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("cannot listen on 127.0.0.1:" + port + ": ");
    }
  }

  @Test
  void aStartThatFailsLeavesNoConnectionToTheStore() throws Exception {
    Path broken = Files.writeString(directory.resolve("broken.pem"), "no certificate");
    try (RedisProcess redis = RedisProcess.start();
        ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ServerOptions options = RunningService.options(directory).store(redis.uri());
      for (ServerOptions each :
          List.of(
              options.port(taken.getLocalPort()),
              RunningService.options(directory)
                  .store(redis.uri())
                  .tls(new ServerOptions.Tls(broken, broken)))) {
        assertThatThrownBy(() -> WeirServer.start(each)).isInstanceOf(IllegalStateException.class);
        await().until(() -> redis.command("CLIENT", "LIST").lines().count() == 1);
      }
    }
    FaultReport.row(
        "66 port taken, certificate unreadable", 2, "start refused, no connection to Redis left");
  }

  @Test
  void aSlowRequestThatHasBegunIsAnsweredWithoutADrain() throws Exception {
    finishWhileStopping(
        RunningService.options(directory),
        service -> await().until(() -> service.http.get("/readyz").status() == 503));
    FaultReport.row(
        "59 stopped with a request half sent, no drain", 1, "answered with 200, then closed");
  }

  @Test
  void aRequestMayTakeAsLongWhileTheServiceStopsAsBefore() throws Exception {
    finishWhileStopping(
        RunningService.options(directory).requestTime(Duration.ofSeconds(40)),
        service ->
            await()
                .atMost(Duration.ofSeconds(30))
                .during(Duration.ofMillis(5500))
                .until(() -> service.http.get("/readyz").status() == 503));
    FaultReport.row(
        "59 stopped with a request that takes 5.5 s more", 1, "answered with 200, then closed");
  }

  private interface Pause {
    void until(RunningService service);
  }

  /** Sends a part of a request, stops the service, and sends the rest after a pause. */
  private static void finishWhileStopping(ServerOptions options, Pause pause) throws Exception {
    RunningService service = RunningService.start(options);
    String body = Http.question(ANN, 1);
    try (Socket socket = new Socket("127.0.0.1", service.server.port())) {
      socket.setSoTimeout(20_000);
      OutputStream out = socket.getOutputStream();
      out.write(
          ("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: " + body.length() + "\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      out.write(body.getBytes(StandardCharsets.US_ASCII), 0, 10);
      await().until(() -> requestBytes(service) > 0);
      Thread stopping = new Thread(service::close);
      stopping.start();
      pause.until(service);

      out.write(body.getBytes(StandardCharsets.US_ASCII), 10, body.length() - 10);
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertThat(answer).startsWith("HTTP/1.1 200 OK").containsIgnoringCase("Connection: close");
      stopping.join(20_000);
    }
  }

  /** Those of a request besides the one that asks. */
  private static long requestBytes(RunningService service) {
    return service
        .http
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("weir_http_request_bytes "))
        .mapToLong(line -> (long) Double.parseDouble(line.split(" ")[1]) - 4096)
        .sum();
  }

  @Test
  void sharedRulesNeedAStoreThatIsShared() {
    assertThatThrownBy(() -> WeirServer.start(RunningService.options(directory).sharedRules(true)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("shared rules need a Redis that all instances share; the store is memory");
  }

  @Test
  void aStoreThatIsNoneIsRefusedWithoutItsPassword() {
    ServerOptions options = RunningService.options(directory).store("postgres://me:secret@host");
    assertThatThrownBy(() -> WeirServer.start(options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "store must be memory, redis://, rediss://, redis-sentinel://, rediss-sentinel://,"
                + " redis-cluster:// or rediss-cluster://, was postgres://***");
  }
}
