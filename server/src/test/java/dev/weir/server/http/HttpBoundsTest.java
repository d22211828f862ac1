package dev.weir.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one client can take from the service: never more than its bounds. */
final class HttpBoundsTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");
  private static final int MOST_BYTES = 2048;

  @TempDir Path directory;

  @Test
  void aBodyThatSaysItIsTooLargeIsRefusedUnread() throws IOException {
    try (RunningService service = start();
        Socket client = connect(service)) {
      send(client, "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999999\r\n\r\n");

      String answer = read(client);
      assertThat(answer)
          .startsWith("HTTP/1.1 413 ")
          .contains("the body must be at most 2048 bytes");
    }
  }

  @Test
  void aBodyWithoutALengthIsCutOffAtTheBound() throws IOException {
    try (RunningService service = start();
        Socket client = connect(service)) {
      send(client, "POST /v1/check HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      String chunk = "400\r\n" + "x".repeat(0x400) + "\r\n";
      send(client, chunk + chunk + chunk);

      assertThat(read(client)).startsWith("HTTP/1.1 413 ");
    }
  }

  @Test
  void headersThatAreTooLargeAreRefused() throws IOException {
    try (RunningService service = start();
        Socket client = connect(service)) {
      send(client, "GET /healthz HTTP/1.1\r\nHost: a\r\nX: " + "x".repeat(20_000) + "\r\n\r\n");

      assertThat(read(client)).startsWith("HTTP/1.1 431 ");
    }
  }

  @Test
  void aBodyThatDoesNotArriveIsNotWaitedFor() throws IOException {
    try (RunningService service = start();
        Socket client = connect(service)) {
      send(client, "POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");

      assertThat(read(client)).startsWith("HTTP/1.1 408 ").contains("did not arrive in 500 ms");
    }
  }

  @Test
  void aConnectionOnWhichARequestOnlyTricklesInIsClosed() throws IOException {
    try (RunningService service = start();
        Socket client = connect(service)) {
      await()
          .atMost(Duration.ofSeconds(20))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> isCutOffAfter(client, "x"));
    }
  }

  @Test
  void moreConnectionsThanTheBoundAreClosedAndThoseWithinItServed() throws IOException {
    List<Socket> clients = new ArrayList<>();
    try (RunningService service = start()) {
      for (int i = 0; i < 20; i++) {
        clients.add(connect(service));
      }
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> clients.stream().filter(HttpBoundsTest::isClosed).count() >= 10);
      clients.forEach(HttpBoundsTest::close);
      await()
          .atMost(Duration.ofSeconds(10))
          .ignoreExceptions()
          .until(() -> service.http.check(ANN).status() == 200);
    } finally {
      clients.forEach(HttpBoundsTest::close);
    }
  }

  @Test
  void aQuestionWithTooManyAttributesIsRefused() {
    StringBuilder attributes = new StringBuilder();
    for (int i = 0; i < 101; i++) {
      attributes.append(i == 0 ? "" : ",").append("\"a").append(i).append("\":1");
    }
    try (RunningService service = start()) {
      Http.Answer answer = service.http.post("/v1/check", "{\"attributes\": {" + attributes + "}}");
      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.detail()).isEqualTo("attributes must be at most 100");
    }
  }

  @Test
  void whatAClientSendsNeverBreaksALineOfAnAnswer() {
    try (RunningService service = start()) {
      Http.Answer answer = service.http.check(Map.of("path", "/api/x", "user", "a\r\nX-Evil: 1\0"));
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.field("X-Evil")).isEqualTo("none");
    }
  }

  private RunningService start() {
    return RunningService.start(
        RunningService.options(directory)
            .maxBodyBytes(MOST_BYTES)
            .maxConnections(10)
            .requestTime(Duration.ofMillis(500))
            .idleTime(Duration.ofSeconds(2)));
  }

  private static Socket connect(RunningService service) throws IOException {
    Socket socket = new Socket("127.0.0.1", service.server.port());
    socket.setSoTimeout(10_000);
    return socket;
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(ISO_8859_1));
    client.getOutputStream().flush();
  }

  private static String read(Socket client) throws IOException {
    StringBuilder all = new StringBuilder();
    byte[] some = new byte[4096];
    InputStream in = client.getInputStream();
    int count = in.read(some);
    while (count > 0) {
      all.append(new String(some, 0, count, ISO_8859_1));
      if (all.indexOf("}\n") >= 0) {
        break;
      }
      count = in.read(some);
    }
    return all.toString();
  }

  /** Writing to a connection that the other end has closed fails, sooner or later. */
  private static boolean isCutOffAfter(Socket client, String bytes) {
    try {
      send(client, bytes);
      return false;
    } catch (IOException cut) {
      return true;
    }
  }

  private static boolean isClosed(Socket client) {
    try {
      client.setSoTimeout(1);
      return client.getInputStream().read() < 0;
    } catch (java.net.SocketTimeoutException open) {
      return false;
    } catch (IOException cut) {
      return true;
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyCut) {
      // which is what was wanted
    }
  }
}
