package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The service over TLS, with a certificate made for the test. */
@Tag("slow")
final class TlsTest {
  private static final String QUESTION = Http.question(Map.of("path", "/api/x", "user", "ann"), 1);

  @TempDir Path directory;
  private TestCertificate certificate;

  @BeforeEach
  void makeCertificate() throws Exception {
    certificate = TestCertificate.make(directory);
  }

  @Test
  void decisionsAreMadeOverTls() throws Exception {
    try (RunningService service = start()) {
      HttpResponse<String> answer = post("https", service.server.port());
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("RateLimit")).isPresent();
    }
  }

  @Test
  void withTlsNothingIsSaidInCleartext() {
    try (RunningService service = start()) {
      assertThatThrownBy(() -> post("http", service.server.port())).isInstanceOf(IOException.class);
    }
  }

  @Test
  @Timeout(60)
  void aRenewedCertificateIsShownWithoutARestart() throws Exception {
    try (RunningService service = start()) {
      URI health = URI.create("https://localhost:" + service.server.port() + "/healthz");
      assertThat(get(certificate.trusting(), health).statusCode()).isEqualTo(200);
      SSLContext renewed = TestCertificate.renew(directory).trusting();
      await()
          .atMost(Duration.ofSeconds(30))
          .ignoreExceptions()
          .until(() -> get(renewed, health).statusCode() == 200);
      for (int i = 0; i < 8; i++) { // new connections, so that every event loop is met
        assertThat(get(renewed, health).statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  @Timeout(60)
  void aCertificateThatCannotBeReadIsLoggedOnceAndTheOneBeforeStays() throws Exception {
    Queue<String> logged = new ConcurrentLinkedQueue<>();
    Logger logger = Logger.getLogger(ServerTls.class.getName());
    Handler handler = new RecordingHandler(logged);
    logger.addHandler(handler);
    SSLContext trusting = certificate.trusting();
    try (RunningService service = start()) {
      Files.delete(certificate.files.certificate());
      await().atMost(Duration.ofSeconds(30)).until(() -> !logged.isEmpty());
      await()
          .during(Duration.ofSeconds(5))
          .atMost(Duration.ofSeconds(30))
          .until(() -> logged.size() == 1);
      assertThat(logged.element())
          .startsWith("the certificate of port ")
          .contains("cannot be read, the one before stays: ")
          .endsWith(certificate.files.certificate().toString());
      URI health = URI.create("https://localhost:" + service.server.port() + "/healthz");
      assertThat(get(trusting, health).statusCode()).isEqualTo(200);
    } finally {
      logger.removeHandler(handler);
    }
  }

  /** Keeps the messages that a logger writes. */
  private static final class RecordingHandler extends Handler {
    private final Queue<String> messages;

    private RecordingHandler(Queue<String> messages) {
      this.messages = messages;
    }

    @Override
    public void publish(LogRecord message) {
      messages.add(new SimpleFormatter().formatMessage(message));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  @Timeout(60)
  void administratorsNeedACertificateAndClientsDoNot() throws Exception {
    ServerOptions options =
        RunningService.options(directory)
            .tls(certificate.files)
            .adminPort(0)
            .adminCa(certificate.files.certificate());
    try (RunningService service = RunningService.start(options)) {
      assertThat(post("https", service.server.port()).statusCode()).isEqualTo(200);
      URI metrics = URI.create("https://localhost:" + service.server.adminPort() + "/metrics");
      assertThatThrownBy(() -> get(certificate.trusting(), metrics))
          .isInstanceOf(IOException.class);
      assertThat(get(certificate.withItsKey(), metrics).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void certificatesOfAdministratorsNeedAPortOfTheirOwn() {
    ServerOptions options =
        RunningService.options(directory)
            .tls(certificate.files)
            .adminCa(certificate.files.certificate());
    assertThatThrownBy(() -> RunningService.start(options))
        .hasMessage("adminCa needs an adminPort, and tls");
  }

  private static HttpResponse<String> get(SSLContext context, URI uri) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(context).build();
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private RunningService start() {
    return RunningService.start(RunningService.options(directory).tls(certificate.files));
  }

  private HttpResponse<String> post(String scheme, int port) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
    URI uri = URI.create(scheme + "://localhost:" + port + "/v1/check");
    return client.send(
        HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(QUESTION)).build(),
        BodyHandlers.ofString());
  }
}
