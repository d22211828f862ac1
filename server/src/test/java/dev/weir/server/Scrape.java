package dev.weir.server;

import static org.awaitility.Awaitility.await;

import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of services that have seen everything: requests allowed and denied, and a store that
 * is away.
 */
final class Scrape {
  private static final Pattern SERIES = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
  private static final String USER = "{\"attributes\": {\"user\": \"a\", \"path\": \"/api/x\"}}";
  private static final String LOGIN =
      "{\"attributes\": {\"ip\": \"192.0.2.1\", \"path\": \"/login\", \"method\": \"POST\"}}";

  private static final String BUDGET =
      """
      rules:
        - name: budget
          limits:
            - {name: daily, key: user, limit: 2 per day, algorithm: fixed-window, warn-at: 50 %}
      """;

  private static final Path SAMPLE = Path.of("src/main/resources/dev/weir/server/sample.yaml");
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private Scrape() {}

  /** A service in memory, after 30 requests of a user who may make 20. */
  static String ofMemory() {
    try (WeirServer server = WeirServer.start(options())) {
      ask(server, USER, 30);
      return get(server, "/metrics");
    }
  }

  /** A service with a budget, after a request that reached its warning. */
  static String ofBudgetThatWarns() {
    try {
      Path rules = Files.writeString(Files.createTempFile("budget", ".yaml"), BUDGET);
      try (WeirServer server = WeirServer.start(options().config(List.of(rules)))) {
        ask(server, USER, 2);
        return get(server, "/metrics");
      } finally {
        Files.delete(rules);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A service whose Redis is away: the breaker of its node is open. */
  static String ofStoreThatIsAway() {
    String nobody = "redis://127.0.0.1:" + freePort();
    ServerOptions options = options().config(List.of(SAMPLE)).store(nobody);
    try (WeirServer server = WeirServer.start(options)) {
      ask(server, LOGIN, 10);
      return get(server, "/metrics");
    }
  }

  /** A service whose Redis is full: it answers with errors. */
  static String ofStoreThatRefuses() {
    try (RedisProcess redis = RedisProcess.start()) {
      ServerOptions options = options().config(List.of(SAMPLE)).store(redis.uri());
      try (WeirServer server = WeirServer.start(options)) {
        redis.command("CONFIG", "SET", "maxmemory", "1");
        ask(server, USER, 10);
        await().until(() -> get(server, "/metrics").contains("weir_node_refusing"));
        return get(server, "/metrics");
      }
    }
  }

  /** The labels of every series of a text, by its name. */
  static Map<String, Set<String>> labelsByName(String text) {
    Map<String, Set<String>> found = new TreeMap<>();
    Matcher series = SERIES.matcher(text);
    while (series.find()) {
      Set<String> labels = found.computeIfAbsent(series.group(1), name -> new TreeSet<>());
      if (series.group(2) != null) {
        LABEL.matcher(series.group(2)).results().forEach(label -> labels.add(label.group(1)));
      }
    }
    return found;
  }

  static ServerOptions options() {
    return new ServerOptions().host("127.0.0.1").port(0).drain(Duration.ZERO);
  }

  private static void ask(WeirServer server, String body, int times) {
    for (int i = 0; i < times; i++) {
      send(request(server, "/v1/check").POST(BodyPublishers.ofString(body)));
    }
  }

  static String get(WeirServer server, String path) {
    return send(request(server, path));
  }

  static HttpRequest.Builder request(WeirServer server, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
  }

  static String send(HttpRequest.Builder request) {
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString()).body();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(interrupted);
    }
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
