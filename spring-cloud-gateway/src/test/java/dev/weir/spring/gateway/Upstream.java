package dev.weir.spring.gateway;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** The service behind the gateway: answers "passed" to everything. */
final class Upstream implements AutoCloseable {
  private final AtomicInteger handled = new AtomicInteger();
  private final HttpServer server;

  private Upstream(HttpServer server) {
    this.server = server;
  }

  static Upstream start() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      Upstream upstream = new Upstream(server);
      server.createContext(
          "/",
          exchange -> {
            upstream.handled.incrementAndGet();
            byte[] body = "passed".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
          });
      server.start();
      return upstream;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  String uri() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  int handled() {
    return handled.get();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
