package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.HttpIntegrationContract.Application;
import dev.weir.testkit.HttpIntegrationContract.Setup;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every integration promises about requests in flight, and the client that finds it out. */
abstract class HttpSlotsContract {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

  final ManualTime time = new ManualTime();
  final AtomicInteger handled = new AtomicInteger();
  LimitStore store = MemoryStore.builder().time(time).build();
  private @Nullable Application application;

  protected abstract Application start(Setup setup) throws Exception;

  @BeforeEach
  void resetCount() {
    handled.set(0);
  }

  @AfterEach
  void stop() {
    if (application != null) {
      application.close();
    }
    store.close();
  }

  /** The clock stands still, so that no slot is lost: only a release makes it free again. */
  @ParameterizedTest
  @ValueSource(strings = {"/x", "/fails", "/later", "/forwards"})
  void aSlotIsFreeAgainWhenTheResponseHasEnded(String path) throws Exception {
    start(
        """
        rules:
          - name: all
            limits:
              - {name: slots, key: [], limit: 1 at once}
        """);
    for (int request = 1; request <= 3; request++) {
      HttpResponse<String> answer = whenSlotIsFree(path);
      assertThat(answer.statusCode()).isNotEqualTo(429);
      assertThat(answer.headers().firstValue("RateLimit-Policy").orElse(""))
          .contains("concurrent-requests");
    }
  }

  /** The client may have the response a little earlier than the integration knows that it ended. */
  private HttpResponse<String> whenSlotIsFree(String path)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    HttpResponse<String> answer = get(path);
    while (answer.statusCode() == 429 && System.nanoTime() - deadline < 0) {
      answer = get(path);
    }
    return answer;
  }

  void start(String rules) throws Exception {
    application = start(new Setup(rules, store, handled::incrementAndGet));
  }

  HttpResponse<String> get(String target, String... fields)
      throws IOException, InterruptedException {
    return send("GET", target, fields);
  }

  HttpResponse<String> head(String target) throws IOException, InterruptedException {
    return send("HEAD", target);
  }

  HttpResponse<String> send(String method, String target, String... fields)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(application.uri() + target))
            .method(method, BodyPublishers.noBody())
            .timeout(Duration.ofSeconds(30));
    if (fields.length > 0) {
      request.headers(fields);
    }
    return CLIENT.send(request.build(), BodyHandlers.ofString());
  }
}
