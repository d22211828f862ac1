package dev.weir.benchmarks.service;

import dev.weir.benchmarks.service.ServiceProcess.Child;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpServerOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The servers that are measured over HTTP. */
enum ServiceVariant {
  EMPTY("an empty handler") {
    @Override
    int start() throws IOException {
      int loops = Runtime.getRuntime().availableProcessors();
      Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(loops));
      int port = freePort();
      vertx
          .deployVerticle(() -> new EmptyHandler(port), new DeploymentOptions().setInstances(loops))
          .toCompletionStage()
          .toCompletableFuture()
          .join();
      return port;
    }
  },
  ONE_LIMIT("POST /v1/check, one limit") {
    @Override
    int start() throws IOException {
      return weir("      - {name: user, key: user, limit: 1000000 per day}\n");
    }
  },
  THREE_LIMITS("POST /v1/check, three limits") {
    @Override
    int start() throws IOException {
      return weir(
          """
                - {name: user, key: user, limit: 1000000 per day}
                - {name: path, key: path, limit: 1000000000 per day, algorithm: fixed-window}
                - {name: all, key: [], limit: 1000000000 per day, algorithm: sliding-window}
          """);
    }
  },
  OVER_REDIS("POST /v1/check, one limit over Redis") {
    @Override
    int start() throws IOException {
      String rule = "      - {name: user, key: user, limit: 1000000 per second}\n";
      return weir(
          rule,
          options ->
              options.store(System.getProperty("weir.store")).warmUp(Duration.ofSeconds(15)));
    }
  };

  /** Those that are compared with the empty handler. */
  static final List<ServiceVariant> IN_MEMORY = List.of(EMPTY, ONE_LIMIT, THREE_LIMITS);

  final String title;

  ServiceVariant(String title) {
    this.title = title;
  }

  /** Serves until the process ends; returns the port. */
  abstract int start() throws IOException;

  private static int weir(String limits) throws IOException {
    return weir(limits, options -> options);
  }

  private static int weir(String limits, UnaryOperator<ServerOptions> more) throws IOException {
    Path rules = Files.createTempFile("weir", ".yaml");
    rules.toFile().deleteOnExit();
    Files.writeString(rules, "rules:\n  - name: api\n    limits:\n" + limits);
    ServerOptions options =
        new ServerOptions().host("127.0.0.1").port(0).drain(Duration.ZERO).config(List.of(rules));
    return WeirServer.start(more.apply(options)).port();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  /** The least that anything on this stack does: it answers 200 and looks at nothing. */
  private static final class EmptyHandler extends VerticleBase {
    private final int port;

    EmptyHandler(int port) {
      this.port = port;
    }

    @Override
    public Future<?> start() {
      return vertx
          .createHttpServer(new HttpServerOptions().setHost("127.0.0.1").setPort(port))
          .requestHandler(request -> request.response().end())
          .listen();
    }
  }

  /** Serves one thing in a JVM of its own. */
  static final class VariantMain {
    private VariantMain() {}

    public static void main(String[] arguments) throws IOException {
      if (arguments.length > 1) {
        System.setProperty("weir.store", arguments[1]);
      }
      Child.untilInputEnds(ServiceVariant.valueOf(arguments[0])::start);
    }
  }
}
