package dev.weir.server.proxy;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a proxy protects: answers 200, or the status that a request asks for, and remembers. */
final class Application implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final List<String> seen = new CopyOnWriteArrayList<>();
  private final HttpServer server;

  Application() {
    server =
        vertx
            .createHttpServer()
            .requestHandler(request -> request.body().onSuccess(body -> answer(request, body)))
            .listen(0, "127.0.0.1")
            .await();
  }

  private void answer(HttpServerRequest request, Buffer body) {
    seen.add(request.method() + " " + request.uri() + " " + body);
    String status = request.getHeader("Wanted-Status");
    request.response().setStatusCode(status == null ? 200 : Integer.parseInt(status));
    request.response().end("application\n");
  }

  int port() {
    return server.actualPort();
  }

  /** Each as {@code METHOD target body}. */
  List<String> seen() {
    return seen;
  }

  @Override
  public void close() {
    vertx.close().await();
  }
}
