package dev.weir.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.server.TestCertificate;
import dev.weir.testkit.FaultReport;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** FAULTS 59: a client of HTTP/2 whose requests are half sent while the service stops. */
@Timeout(60)
final class StoppedHttp2Test {
  private static final int LAST_STREAM = 39;

  @TempDir Path directory;

  @Test
  void requestsThatHaveBegunAreAnsweredAndThenTheClientIsSentAway() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    RunningService service =
        RunningService.start(RunningService.options(directory).tls(certificate.files));
    int port = service.server.port();
    byte[] body = Http.question(Map.of("path", "/elsewhere"), 1).getBytes(StandardCharsets.UTF_8);
    try (RawHttp2 client = new RawHttp2(certificate.trusting(), port, 65_535)) {
      for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
        client.head(stream, "POST", "/v1/check", false, Map.of());
      }
      client.head(LAST_STREAM + 2, "GET", "/healthz", true, Map.of());
      client.flush();
      client.await(RawHttp2.HEADERS, LAST_STREAM + 2); // so all the others have begun
      Thread stopping = new Thread(service::close);
      stopping.start();
      await().until(() -> readiness(certificate, port) == 503);
      for (int stream = 1; stream <= LAST_STREAM; stream += 2) {
        client.data(stream, body, true);
      }
      client.flush();

      int answered = 0;
      RawHttp2.Frame frame = client.read();
      while (frame.type() != RawHttp2.GOAWAY) {
        answered += frame.isEnd() && frame.stream() <= LAST_STREAM ? 1 : 0;
        frame = client.read();
      }
      assertThat(answered).isEqualTo((LAST_STREAM + 1) / 2);
      assertThat(frame.type()).isEqualTo(RawHttp2.GOAWAY);
      stopping.join();
      await().until(client::isClosed);
    }
    FaultReport.row(
        "59 stopped with requests half sent, HTTP/2",
        (LAST_STREAM + 1) / 2,
        "all answered, then GOAWAY");
  }

  private static int readiness(TestCertificate certificate, int port) throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
    URI uri = URI.create("https://localhost:" + port + "/readyz");
    return client
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
