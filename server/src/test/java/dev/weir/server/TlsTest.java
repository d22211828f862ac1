package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service over TLS, with a certificate made for the test. */
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
