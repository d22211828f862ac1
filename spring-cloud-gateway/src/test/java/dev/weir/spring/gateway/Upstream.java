package dev.weir.spring.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** The service behind the gateway: answers 500 on {@code /fails}, else 200 and "passed". */
final class Upstream implements AutoCloseable {
  private final HttpServer server;

  private Upstream(HttpServer server) {
    this.server = server;
  }

  /**
   * @param handled called once per request
   */
  static Upstream start(Runnable handled) {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext(
          "/",
          exchange -> {
            handled.run();
            answer(exchange);
          });
      server.start();
      return new Upstream(server);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    byte[] body = "passed".getBytes(StandardCharsets.UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    int status = exchange.getRequestURI().getPath().equals("/fails") ? 500 : 200;
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
