package dev.weir.server.hostile;

import dev.weir.server.Http;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A well-behaved client: each of its users may make three requests and makes four. Whatever others
 * do meanwhile, three are allowed and the fourth is denied.
 */
final class GoodClient implements AutoCloseable {
  private static final int[] EXPECTED = {200, 200, 200, 429};

  private final HttpClient client;
  private final URI uri;
  private final String name;

  /** Why a question has no answer if the service said that it has too much to do. */
  static final String SHED = "503";

  private final Thread thread = new Thread(this::run, "good-client");
  private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger exact = new AtomicInteger();
  private final List<String> unanswered = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean stopped;

  GoodClient(HttpClient client, String url, String name) {
    this.client = client;
    this.uri = URI.create(url + "/v1/check");
    this.name = name;
    thread.start();
  }

  private void run() {
    for (int user = 0; !stopped; user++) {
      try {
        use(name + user);
      } catch (IOException cut) {
        unanswered.add(String.valueOf(cut));
      } catch (InterruptedException ended) {
        return;
      }
    }
  }

  private void use(String user) throws IOException, InterruptedException {
    String question = Http.question(Map.of("path", "/api/x", "user", user), 1);
    for (int expected : EXPECTED) {
      HttpRequest request =
          HttpRequest.newBuilder(uri)
              .timeout(Duration.ofSeconds(10))
              .POST(HttpRequest.BodyPublishers.ofString(question))
              .build();
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      if (status == 503) {
        unanswered.add(SHED);
        return; // the next user's turn: nobody knows what this one has left
      }
      if (status == expected) {
        exact.incrementAndGet();
      } else {
        wrong.add(user + ": " + status + " instead of " + expected);
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  List<String> wrong() {
    return List.copyOf(wrong);
  }

  int exact() {
    return exact.get();
  }

  /** Why each question had no answer. */
  List<String> unanswered() {
    return List.copyOf(unanswered);
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
