package dev.weir.examples;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.RateLimiter;
import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import dev.weir.http.IncomingRequest;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A gateway that protects what is behind it: a limit for all clients together, one per client, a
 * lower one for what is expensive. It uses no framework, so it also shows what an integration of
 * your own needs: an {@link IncomingRequest}, and copying an {@link HttpAnswer}.
 */
final class GatewayProtection implements AutoCloseable {
  static final String RULES =
      """
      rules:
        - name: gateway
          limits:
            - {name: total,  key: [], limit: 2000 per second}
            - {name: client, key: ip, limit: 50 per second, burst: 100}
        - name: search
          when: {path: /search}
          limits:
            - {name: search, key: ip, limit: 20 per 10s, algorithm: sliding-window}
      """;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(8);
  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpLimiter limiter;
  private final URI backend;

  GatewayProtection(int port, URI backend, LimitStore store) throws IOException {
    RuleSet rules = RuleSet.parse("gateway rules", RULES);
    this.limiter = HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(store)).build();
    this.backend = backend;
    this.server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    HttpAnswer answer = limiter.decide(new GatewayRequest(exchange)).toCompletableFuture().join();
    answer.fields().forEach(exchange.getResponseHeaders()::set);
    if (answer.allowed()) {
      forward(exchange);
    } else {
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      send(exchange, answer.status(), answer.body().getBytes(StandardCharsets.UTF_8));
    }
  }

  private void forward(HttpExchange exchange) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(backend.resolve(exchange.getRequestURI().toString())).build();
    try {
      HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
      send(exchange, response.statusCode(), response.body());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      send(exchange, 502, new byte[0]);
    }
  }

  private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
  }

  private record GatewayRequest(HttpExchange exchange) implements IncomingRequest {
    @Override
    public String method() {
      return exchange.getRequestMethod();
    }

    @Override
    public String target() {
      return exchange.getRequestURI().toString();
    }

    @Override
    public String peer() {
      return exchange.getRemoteAddress().getAddress().getHostAddress();
    }

    @Override
    public List<String> headers(String name) {
      return exchange.getRequestHeaders().getOrDefault(name, List.of());
    }
  }
}
