package dev.weir.server.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.server.TestCertificate;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Heads of requests that two readers could understand differently, or that are too long. */
@Tag("slow")
final class HostileHeadTest {
  private static final String OK = "HTTP/1.1 200 OK";

  @TempDir Path directory;
  private RunningService service;

  @BeforeEach
  void start() {
    service =
        RunningService.start(
            RunningService.options(directory)
                .maxBodyBytes(2048)
                .requestTime(Duration.ofMillis(500)));
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void aThousandPipelinedRequestsAreAllAnswered() throws IOException {
    String one = "GET /healthcheck HTTP/1.1\r\nHost: a\r\n\r\n";
    try (RawConnection client = connect()) {
      assertThat(RawConnection.count(client.send(one.repeat(1000)).readUntil(OK, 1000), OK))
          .isEqualTo(1000);
    }
  }

  @Test
  void pipelinedChecksAreAnsweredAllAndExactly() throws IOException {
    String body = "{\"attributes\": {\"path\": \"/api/x\", \"user\": \"pipe\"}}";
    String one =
        "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    try (RawConnection client = connect()) {
      String answers = client.send(one.repeat(300)).readUntil("\"limits\":", 300);
      assertThat(RawConnection.count(answers, OK)).isEqualTo(3);
      assertThat(RawConnection.count(answers, "HTTP/1.1 429 ")).isEqualTo(297);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host: a\r\nHost: b\r\n", "Host: a\r\nhost: a\r\n", ""})
  void aRequestHasOneHost(String hosts) throws IOException {
    try (RawConnection client = connect()) {
      String answer = client.send("GET /healthz HTTP/1.1\r\n" + hosts + "\r\n").readToEnd();
      assertThat(answer).startsWith("HTTP/1.1 400 ").contains("a request must have one Host field");
    }
  }

  @Test
  void overHttp10AHostMayBeMissing() throws IOException {
    try (RawConnection client = connect()) {
      assertThat(client.send("GET /healthz HTTP/1.0\r\n\r\n").readToEnd())
          .startsWith("HTTP/1.0 200");
    }
  }

  @Test
  void aRefusedBodyEndsTheConnectionAfterTheAnswer() throws IOException {
    try (RawConnection client = connect()) {
      client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\nxxx");
      assertThat(client.readToEnd())
          .startsWith("HTTP/1.1 413 ")
          .containsIgnoringCase("connection: close")
          .endsWith("}\n");
    }
  }

  @Test
  void aBodyThatIsLateEndsTheConnectionAfterTheAnswer() throws IOException {
    try (RawConnection client = connect()) {
      client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 999\r\n\r\nxxx");
      assertThat(client.readToEnd()).startsWith("HTTP/1.1 408 ").endsWith("}\n");
    }
  }

  @Test
  void whoeverGoesOnSendingARefusedBodyStillReadsTheAnswer() throws IOException {
    try (RawConnection client = connect()) {
      client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n");
      for (int i = 0; i < 20; i++) {
        client.send("x".repeat(10_000));
      }
      assertThat(client.readUntil("}\n", 1)).startsWith("HTTP/1.1 413 ").endsWith("}\n");
    }
  }

  @Test
  void overHttp2ARefusedBodyEndsTheStreamAndNotTheConnection() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    try (RunningService tls =
            RunningService.start(
                RunningService.options(directory).maxBodyBytes(2048).tls(certificate.files));
        RawHttp2 client = new RawHttp2(certificate.trusting(), tls.server.port(), 65_535)) {
      client.head(1, "POST", "/v1/check", false, Map.of("content-length", "99999"));
      client.flush();

      RawHttp2.Frame head = client.await(RawHttp2.HEADERS, 1);
      assertThat(head.payload()).isNotEmpty();
      RawHttp2.Frame last = client.await(RawHttp2.DATA, 1);
      assertThat(new String(last.payload())).contains("\"status\":413");
      assertThat(client.await(RawHttp2.RST_STREAM, 1).code()).isZero();
      client.head(3, "GET", "/healthcheck", true, Map.of());
      client.flush();
      assertThat(new String(client.await(RawHttp2.DATA, 3).payload())).isEqualTo("OK\n");
    }
  }

  @Test
  void overHttp2ABodyThatIsLateEndsTheStreamAndNotTheConnection() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    try (RunningService tls = RunningService.start(late(certificate));
        RawHttp2 client = new RawHttp2(certificate.trusting(), tls.server.port(), 65_535)) {
      client.head(1, "POST", "/v1/check", false, Map.of("content-length", "999"));
      client.flush();

      client.await(RawHttp2.HEADERS, 1);
      assertThat(new String(client.await(RawHttp2.DATA, 1).payload())).contains("\"status\":408");
      assertThat(client.await(RawHttp2.RST_STREAM, 1).code()).isZero();
      client.head(3, "GET", "/healthcheck", true, Map.of());
      client.flush();
      assertThat(new String(client.await(RawHttp2.DATA, 3).payload())).isEqualTo("OK\n");
    }
  }

  @ParameterizedTest
  @CsvSource({"999, 408", "99999, 413"})
  void overTlsARefusedBodyEndsTheConnectionAfterTheAnswer(int length, int status) throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    try (RunningService tls = RunningService.start(late(certificate));
        Socket client =
            certificate
                .trusting()
                .getSocketFactory()
                .createSocket("localhost", tls.server.port())) {
      client.setSoTimeout(20_000);
      String head = "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: " + length;
      client.getOutputStream().write((head + "\r\n\r\nxxx").getBytes(UTF_8));
      assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 " + status)
          .containsIgnoringCase("connection: close")
          .endsWith("}\n");
    }
  }

  private ServerOptions late(TestCertificate certificate) {
    return RunningService.options(directory)
        .maxBodyBytes(2048)
        .requestTime(Duration.ofMillis(500))
        .tls(certificate.files);
  }

  @Test
  void aFoldedFieldIsReadAsOneLine() throws IOException {
    String folded = "Authorization: Bearer\r\n \t" + RunningService.TOKEN + "\r\n";
    String hidden = "X-A: a\r\n Authorization: Bearer " + RunningService.TOKEN + "\r\n";
    try (RawConnection client = connect()) {
      client.send("GET /v1/switches HTTP/1.1\r\nHost: a\r\n" + folded + "\r\n");
      assertThat(client.readUntil("}\n", 1)).startsWith(OK);
      client.send("GET /v1/switches HTTP/1.1\r\nHost: a\r\n" + hidden + "\r\n");
      assertThat(client.readUntil("}\n", 1)).startsWith("HTTP/1.1 401 ");
    }
  }

  @Test
  void fieldsHaveTheSameBoundOverHttp1AndHttp2() throws Exception {
    String fits = "x".repeat(15_000);
    String tooLong = "x".repeat(17_000);
    try (RawConnection client = connect()) {
      client.send("GET /healthcheck HTTP/1.1\r\nHost: a\r\nX-A: " + fits + "\r\n\r\n");
      assertThat(client.readUntil("OK\n", 1)).startsWith(OK);
      client.send("GET /healthcheck HTTP/1.1\r\nHost: a\r\nX-A: " + tooLong + "\r\n\r\n");
      assertThat(client.readToEnd()).startsWith("HTTP/1.1 431 ");
    }
    TestCertificate certificate = TestCertificate.make(directory);
    try (RunningService tls =
            RunningService.start(RunningService.options(directory).tls(certificate.files));
        RawHttp2 client = new RawHttp2(certificate.trusting(), tls.server.port(), 65_535)) {
      client.head(1, "GET", "/healthcheck", true, Map.of("x-a", fits));
      client.flush();
      assertThat(new String(client.await(RawHttp2.DATA, 1).payload())).isEqualTo("OK\n");
      client.head(3, "GET", "/healthcheck", true, Map.of("x-a", "x".repeat(16_250)));
      client.flush();
      RawHttp2.Frame refused = client.await(RawHttp2.HEADERS, 3);
      assertThat(refused.isEnd()).as("431 without a body").isTrue();
    }
  }

  private RawConnection connect() throws IOException {
    return new RawConnection(service.server.port());
  }
}
