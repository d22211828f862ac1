package dev.weir.server.hostile;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.server.TestCertificate;
import dev.weir.testkit.FaultReport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Clients that open much and finish nothing shut out nobody else. */
@Tag("slow")
final class SlowClientsTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final int MIB = 1 << 20;
  private static final String AUTHORIZATION =
      "Authorization: Bearer " + RunningService.TOKEN + "\r\n\r\n";

  @TempDir Path directory;
  private final List<AutoCloseable> opened = new ArrayList<>();

  private RunningService service;

  /** Clients first: a service that stops waits for requests under way. */
  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable connection : opened) {
      connection.close();
    }
    service.close();
  }

  @Test
  void announcedBodiesCountBeforeTheyAreReadAndTheOldestAreGivenUp() throws IOException {
    service = RunningService.start(options().maxRequestBytes(MIB));
    List<RawConnection> unfinished = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      unfinished.add(
          connect(service)
              .send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{"));
    }
    assertThat(unfinished.get(0).readToEnd())
        .startsWith("HTTP/1.1 503 ")
        .contains("Retry-After: 1")
        .contains("requests under way hold too much memory");
    assertThat(service.http.check(Map.of("path", "/api/x", "user", "ann")).status()).isEqualTo(200);
    String metrics = service.http.get("/metrics").body();
    assertThat(bytes(metrics)).isBetween(1.0, (double) MIB);
    assertThat(metrics).matches("(?s).*weir_http_given_up_total [1-9].*");
    FaultReport.row(
        "68 unfinished bodies of 60 kB, HTTP/1",
        unfinished.size(),
        underWay(bytes(metrics)) + "; the oldest got 503, others are answered");
  }

  @Test
  void bodiesInChunksCountAsTheyGrow() throws IOException {
    service = RunningService.start(options().maxRequestBytes(MIB));
    List<RawConnection> unfinished = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      unfinished.add(
          connect(service)
              .send(
                  "POST /v1/check HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                      + "C350\r\n"
                      + "x".repeat(50_000)
                      + "\r\n"));
    }
    assertThat(unfinished.get(0).readToEnd()).startsWith("HTTP/1.1 503 ");
  }

  @Test
  void whenAllIsEndedNothingIsHeld() throws IOException {
    service = RunningService.start(options().maxRequestBytes(MIB));
    for (int i = 0; i < 40; i++) {
      RawConnection client = connect(service);
      client.send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{");
      client.send("x".repeat(i * 100));
      if (i % 2 == 0) {
        client.close();
      }
    }
    for (int i = 0; i < 50; i++) {
      service.http.check(Map.of("path", "/api/x", "user", "u" + i));
      service.http.post("/v1/check", "no JSON");
    }
    closeQuietly();
    // The scrape itself is one request under way.
    await().atMost(SOON).until(() -> bytes(service.http.get("/metrics").body()) <= 4096);
  }

  @Test
  void administratorsGetInWhenMemoryIsFull() throws IOException {
    service = RunningService.start(options().maxRequestBytes(MIB));
    for (int i = 0; i < 40; i++) {
      connect(service).send("POST /v1/check HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{");
    }
    String large = RunningService.RULES + "#" + "x".repeat(900_000) + "\n";
    assertThat(service.http.put("/v1/rules", large, ADMIN).status()).isEqualTo(200);
  }

  @Test
  void aLargeAnswerToAnAdministratorWhoReadsSlowlyIsNotGivenUp() throws IOException {
    StringBuilder rules = new StringBuilder(RunningService.RULES);
    rules.append("  - name: large\n    limits:\n");
    rules.append(
        "      - {name: by-user, key: user, limit: 1 per hour, overrides-file: all.yaml}\n");
    StringBuilder overrides = new StringBuilder();
    for (int i = 0; i < 60_000; i++) {
      overrides.append("u".repeat(200)).append(i).append(": unlimited\n");
    }
    Files.writeString(directory.resolve("all.yaml"), overrides);
    ServerOptions options = options().maxRequestBytes(MIB);
    Path config = RunningService.rules(directory, rules.toString());
    service = RunningService.start(options.config(List.of(config)));
    RawConnection slow = connect(service);
    slow.send("GET /v1/rules HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + AUTHORIZATION);
    await().atMost(SOON).until(() -> bytes(service.http.get("/metrics").body()) > MIB);
    for (int i = 0; i < 20; i++) { // on every event loop
      connect(service).send("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n").readUntil("HTTP", 1);
    }
    String answer = slow.readToEnd();
    int head = answer.indexOf("\r\n\r\n") + 4;
    assertThat(answer.substring(0, head))
        .startsWith("HTTP/1.1 200 ")
        .contains("content-length: " + (answer.length() - head) + "\r\n");
  }

  @Test
  void answersThatNobodyReadsOverHttp2AreGivenUp() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    ServerOptions options = options().tls(certificate.files).maxRequestBytes(MIB);
    service = RunningService.start(options);
    for (int connection = 0; connection < 5; connection++) {
      RawHttp2 client = new RawHttp2(certificate.trusting(), service.server.port(), 0);
      opened.add(client);
      for (int stream = 1; stream < 200; stream += 2) {
        client.head(stream, "GET", "/healthz", true, Map.of());
      }
      client.flush();
    }
    await().atMost(SOON).until(() -> bytes(scrape(certificate, service)) <= MIB);
    String metrics = scrape(certificate, service);
    assertThat(metrics).matches("(?s).*weir_http_given_up_total [1-9].*");
    FaultReport.row(
        "68 answers that nobody reads, HTTP/2", 500, underWay(bytes(metrics)) + "; given up");
  }

  @Test
  void idleConnectionsMakeRoomForWhoeverComesNext() throws IOException {
    service = RunningService.start(options().maxConnections(10));
    for (int i = 0; i < 50; i++) {
      connect(service);
    }
    Http.Answer health = service.http.get("/healthz");
    assertThat(health.status()).isEqualTo(200);
    assertThat(service.http.put("/v1/kill-switch", "", ADMIN).status()).isEqualTo(200);
    assertThat(service.http.get("/metrics").body())
        .matches("(?s).*weir_http_connections_evicted_total [1-9].*");
    FaultReport.row(
        "75 idle connections at a bound of 10",
        opened.size(),
        "the longest idle closed; health, metrics and administrators answered");
  }

  @Test
  void connectionsOfOneClientPortToSeveralAddressesAreAllCounted() throws IOException {
    service = RunningService.start(options().host("0.0.0.0"));
    Socket first = new Socket();
    opened.add(first);
    first.setReuseAddress(true);
    first.bind(new InetSocketAddress("127.0.0.1", 0));
    first.connect(new InetSocketAddress("127.0.0.1", service.server.port()));
    Socket second = new Socket();
    opened.add(second);
    second.setReuseAddress(true);
    second.bind(first.getLocalSocketAddress());
    second.connect(new InetSocketAddress("127.0.0.2", service.server.port()));
    // These two and the scrape's own.
    await()
        .atMost(SOON)
        .until(() -> service.http.get("/metrics").body().contains("weir_http_connections 3.0"));
  }

  @Test
  void connectionsCountBeforeTheirTlsHandshake() throws Exception {
    TestCertificate certificate = TestCertificate.make(directory);
    ServerOptions options = options().tls(certificate.files).maxConnections(10);
    service = RunningService.start(options);
    List<RawConnection> silent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      silent.add(connect(service));
    }
    await().atMost(SOON).until(() -> silent.stream().filter(RawConnection::isClosed).count() >= 40);
    assertThat(scrape(certificate, service)).contains("weir_http_connections ");
    FaultReport.row(
        "75 connections before their TLS handshake at a bound of 10",
        silent.size(),
        "40 or more closed; metrics answered");
  }

  private static String underWay(double bytes) {
    return "%.0f bytes under way; bound %d".formatted(bytes, MIB);
  }

  private RawConnection connect(RunningService service) throws IOException {
    RawConnection connection = new RawConnection(service.server.port());
    opened.add(connection);
    return connection;
  }

  private void closeQuietly() {
    opened.forEach(
        connection -> {
          if (connection instanceof RawConnection raw) {
            raw.close();
          }
        });
  }

  /** Long times: what ends in these tests ends because room was needed. */
  private ServerOptions options() {
    return RunningService.options(directory).requestTime(Duration.ofMinutes(5));
  }

  private static String scrape(TestCertificate certificate, RunningService service)
      throws Exception {
    HttpClient client = HttpClient.newBuilder().sslContext(certificate.trusting()).build();
    URI uri = URI.create("https://localhost:" + service.server.port() + "/metrics");
    return client
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static double bytes(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith("weir_http_request_bytes "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }
}
