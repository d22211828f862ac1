package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.FaultReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that keep their connections while the service stops. */
@Timeout(60)
final class LastAnswersTest {
  private static final int CLIENTS = 40;
  private static final String BODY = "{\"attributes\": {\"path\": \"/elsewhere\"}}";
  private static final String REQUEST =
      "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
          + BODY.length()
          + "\r\n\r\n"
          + BODY;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {0, 500})
  void everyRequestIsAnsweredAndTheLastAnswerSaysThatItIsTheLast(int drainMillis) throws Exception {
    RunningService service =
        RunningService.start(
            RunningService.options(directory).drain(Duration.ofMillis(drainMillis)));
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    CountDownLatch warm = new CountDownLatch(CLIENTS);
    List<CompletableFuture<String>> ends = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      Client client = new Client(service.server.port(), warm);
      ends.add(CompletableFuture.supplyAsync(client::untilTheEnd, threads));
    }
    warm.await();
    service.close();

    for (CompletableFuture<String> end : ends) {
      assertThat(end.join()).isEqualTo("closed as the last answer said");
    }
    threads.shutdown();
    FaultReport.row(
        "59 stopped with all connections in use, drain " + drainMillis + " ms",
        CLIENTS,
        "no request lost; each connection closed after an answer that said so");
  }

  /** Sends request after request on one connection. */
  private record Client(int port, CountDownLatch warm) {
    String untilTheEnd() {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
          BufferedReader in =
              new BufferedReader(
                  new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
        socket.setSoTimeout(20_000);
        for (int answers = 0; ; answers++) {
          if (answers == 3) {
            warm.countDown();
          }
          socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
          if (isLast(in)) {
            return in.read() < 0 ? "closed as the last answer said" : "went on";
          }
        }
      } catch (IOException failed) {
        return "a request was lost: " + failed;
      }
    }

    private static boolean isLast(BufferedReader in) throws IOException {
      boolean last = false;
      int length = 0;
      String line = in.readLine();
      if (line == null) {
        throw new IOException("closed without a word");
      }
      for (; !line.isEmpty(); line = in.readLine()) {
        last |= line.equalsIgnoreCase("Connection: close");
        length =
            line.startsWith("content-length: ") ? Integer.parseInt(line.substring(16)) : length;
      }
      in.skip(length);
      return last;
    }
  }
}
