package dev.weir.httpclient;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** A server whose n-th answer is what the test says. */
final class ScriptedServer implements AutoCloseable {
  final AtomicInteger requests = new AtomicInteger();
  private final HttpServer server;

  /** One answer. */
  record Answer(int status, Map<String, String> fields) {
    static final Answer OK = new Answer(200, Map.of());
  }

  /**
   * @param answers by the number of the request, from 1
   */
  ScriptedServer(IntFunction<Answer> answers) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/", exchange -> respond(exchange, answers.apply(requests.incrementAndGet())));
    server.start();
  }

  private static void respond(HttpExchange exchange, Answer answer) throws IOException {
    try (exchange) {
      answer.fields().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(answer.status(), -1);
    }
  }

  HttpRequest request() {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/x"))
        .build();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
