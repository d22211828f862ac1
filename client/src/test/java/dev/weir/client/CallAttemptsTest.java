package dev.weir.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A service whose connections break, or that never answers. */
@Timeout(60)
final class CallAttemptsTest {
  private static final String ANSWER =
      "{\"allowed\":true,\"source\":\"store\",\"retryAfterMillis\":0,\"limits\":[]}";

  private final List<String> ids = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final List<Socket> silent = new CopyOnWriteArrayList<>();
  private ServerSocket server;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    for (Socket socket : silent) {
      socket.close();
    }
  }

  @Test
  void aBrokenConnectionIsTriedOnceMoreWithTheSameId() {
    start(true);
    RemoteDecision decision = client(Duration.ofSeconds(30)).check(Map.of("user", "ann"));
    assertThat(decision.source()).isEqualTo("store");
    assertThat(ids).hasSize(2);
    assertThat(ids.get(0)).isEqualTo(ids.get(1)).hasSize(36);
  }

  /** The service takes a charge each time it is sent. */
  @Test
  void aChargeWhoseConnectionBreaksIsNotSentAgain() {
    start(true);
    RemoteDecision decision = client(Duration.ofSeconds(30)).charge(Map.of("user", "ann"), 1);
    assertThat(decision.source()).isEqualTo(RemoteDecision.CLIENT);
    assertThat(connections.get()).isEqualTo(1);
    assertThat(ids).isEmpty();
  }

  @Test
  void aServiceThatDoesNotAnswerCostsOneDeadlineAndIsNotAskedAgain() {
    start(false);
    RemoteDecision decision = client(Duration.ofMillis(300)).check(Map.of("user", "ann"));
    assertThat(decision.source()).isEqualTo(RemoteDecision.CLIENT);
    assertThat(decision.allowed()).isFalse();
    assertThat(ids).hasSizeLessThanOrEqualTo(1);
  }

  /** A continuation that blocks would hold up every other deadline on such a thread. */
  @Test
  void whatFollowsADeadlineDoesNotRunOnATimer() {
    start(false);
    String thread =
        client(Duration.ofMillis(300))
            .checkAsync(Map.of("user", "ann"), 1)
            .thenApply(decision -> Thread.currentThread().getName())
            .toCompletableFuture()
            .join();
    assertThat(thread).doesNotContain("DelayScheduler").doesNotContain("weir-scheduler");
  }

  private WeirClient client(Duration deadline) {
    return WeirClient.builder(URI.create("http://127.0.0.1:" + server.getLocalPort()))
        .deadline(deadline)
        .failurePolicy(FailurePolicy.DENY)
        .build();
  }

  /** Breaks the first connection and answers the second, or answers none. */
  private void start(boolean answers) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (true) {
                  serve(server.accept(), answers);
                }
              } catch (IOException closed) {
                // the test is over
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Socket socket, boolean answers) throws IOException {
    connections.incrementAndGet();
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("idempotency-key: ")) {
        ids.add(line.substring("idempotency-key: ".length()));
      }
    }
    if (!answers) {
      silent.add(socket);
      return;
    }
    if (ids.size() > 1) {
      String head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ";
      socket
          .getOutputStream()
          .write(
              (head + ANSWER.length() + "\r\n\r\n" + ANSWER).getBytes(StandardCharsets.US_ASCII));
    }
    socket.close();
  }
}
