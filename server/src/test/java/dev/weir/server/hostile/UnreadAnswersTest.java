package dev.weir.server.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.RunningService;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that sends requests ahead and reads no answers is not read from, either. */
final class UnreadAnswersTest {
  private static final int AHEAD = 5000;
  private static final String REQUESTS = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(AHEAD);
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path directory;
  private RunningService service;
  private RawConnection client;

  @BeforeEach
  void start() throws Exception {
    service = RunningService.start(RunningService.options(directory));
    client = RawConnection.withSmallBuffer(service.server.port());
  }

  @AfterEach
  void stop() {
    client.close();
    service.close();
  }

  @Test
  void requestsWaitForAClientThatReadsLaterAndAllAreAnswered() {
    CompletableFuture<Void> sent = CompletableFuture.runAsync(this::send);
    double[] before = {-1};
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(200))
        .until(() -> before[0] == (before[0] = answered()) && before[0] > 0);
    assertThat(before[0]).isLessThan(AHEAD / 10);
    assertThat(answers()).isEqualTo(AHEAD);
    assertThat(sent).succeedsWithin(SOON);
  }

  @Test
  void whatAnUnreadAnswerHeldIsReleasedWhenItsClientIsGone() {
    CompletableFuture<Void> sent = CompletableFuture.runAsync(this::send);
    await().atMost(SOON).until(() -> answered() > 0);
    client.close();
    sent.handle((done, cut) -> done).join();
    // The scrape itself is one request under way.
    await().atMost(SOON).until(() -> metric("weir_http_request_bytes ") <= 4096);
  }

  private void send() {
    try {
      client.send(REQUESTS);
    } catch (IOException cut) {
      throw new UncheckedIOException(cut);
    }
  }

  private int answers() {
    try {
      return RawConnection.count(client.readUntil("HTTP/1.1 200 OK", AHEAD), "HTTP/1.1 200 OK");
    } catch (IOException cut) {
      throw new UncheckedIOException(cut);
    }
  }

  private double answered() {
    return metric("weir_http_requests_seconds_count{call=\"/\"");
  }

  private double metric(String start) {
    return service
        .http
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(start))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
