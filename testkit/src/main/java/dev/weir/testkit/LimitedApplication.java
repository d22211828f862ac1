package dev.weir.testkit;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.spi.LimitStore;
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

/** A client of an application that is limited by rules, over a store whose clock it moves. */
abstract class LimitedApplication {
  static final String TWO_PER_MINUTE =
      """
      rules:
        - name: all
          limits:
            - {name: per-address, key: ip, limit: 2 per minute}
      """;
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final ManualTime time = new ManualTime();
  final AtomicInteger handled = new AtomicInteger();
  LimitStore store = MemoryStore.builder().time(time).build();
  private HttpIntegrationContract.@Nullable Application application;

  protected abstract HttpIntegrationContract.Application start(HttpIntegrationContract.Setup setup)
      throws Exception;

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

  final void start(String rules) throws Exception {
    application = start(new HttpIntegrationContract.Setup(rules, store, handled::incrementAndGet));
  }

  final HttpResponse<String> get(String target, String... fields)
      throws IOException, InterruptedException {
    return send("GET", target, fields);
  }

  final HttpResponse<String> head(String target) throws IOException, InterruptedException {
    return send("HEAD", target);
  }

  private HttpResponse<String> send(String method, String target, String... fields)
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
