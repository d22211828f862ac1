package dev.weir.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.RateLimiter;
import dev.weir.rules.RuleSet;
import dev.weir.testkit.HttpIntegrationContract;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The shared code by itself, with nothing around it but the JDK's server. */
final class HttpLimiterContractTest extends HttpIntegrationContract {
  @Override
  protected Application start(Setup setup) throws IOException {
    RuleSet rules = RuleSet.parse("contract", setup.rules());
    HttpLimiter limiter =
        HttpLimiter.byRules(() -> rules, RateLimiter.forClaims(setup.store())).build();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange ->
            limiter
                .decide(new JdkRequest(exchange))
                .thenAccept(answer -> respond(exchange, answer, setup.handled())));
    server.start();
    return new Application() {
      @Override
      public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      }

      @Override
      public void close() {
        server.stop(0);
        threads.shutdown();
      }
    };
  }

  private static void respond(HttpExchange exchange, HttpAnswer answer, Runnable handled) {
    answer.fields().forEach(exchange.getResponseHeaders()::set);
    if (!answer.allowed()) {
      exchange.getResponseHeaders().set("Content-Type", answer.contentType());
      send(exchange, answer.status(), answer.body());
      return;
    }
    handled.run();
    boolean fails = exchange.getRequestURI().getPath().equals("/fails");
    answer.responded(fails ? 500 : 200);
    send(exchange, fails ? 500 : 200, fails ? "" : "passed");
    answer.release();
  }

  private static void send(HttpExchange exchange, int status, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    boolean none = exchange.getRequestMethod().equals("HEAD") || body.length == 0;
    try (exchange) {
      exchange.sendResponseHeaders(status, none ? -1 : body.length);
      if (!none) {
        exchange.getResponseBody().write(body);
      }
    } catch (IOException gone) {
      throw new IllegalStateException(gone);
    }
  }

  private record JdkRequest(HttpExchange exchange) implements IncomingRequest {
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
      Map<String, List<String>> all = exchange.getRequestHeaders();
      return all.getOrDefault(name, List.of());
    }
  }
}
