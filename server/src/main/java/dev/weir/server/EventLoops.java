package dev.weir.server;

import dev.weir.server.service.SharedAdminOverrides;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletionException;

/** The threads that serve, one per processor, and what runs on them. */
final class EventLoops implements AutoCloseable {
  private static final long LOOK_MILLIS = 1000;

  private final Vertx vertx;
  private final int port;

  private EventLoops(Vertx vertx, int port) {
    this.vertx = vertx;
    this.port = port;
  }

  /**
   * @throws IllegalStateException if the port cannot be had
   */
  static EventLoops start(ServerContext context, ServerOptions options) {
    int loops = Runtime.getRuntime().availableProcessors();
    EventLoops started = new EventLoops(Vertx.vertx(vertxOptions(loops)), port(options));
    try {
      started.deploy(context, options, loops);
    } catch (CompletionException failed) {
      started.close();
      throw new IllegalStateException(
          "cannot listen on "
              + options.host()
              + ":"
              + started.port
              + ": "
              + failed.getCause().getMessage(),
          failed.getCause());
    }
    started.follow(context.switches());
    return started;
  }

  /** No files are cached and none of the class path served: that would cost time at the start. */
  private static VertxOptions vertxOptions(int loops) {
    return new VertxOptions()
        .setEventLoopPoolSize(loops)
        .setWorkerPoolSize(2)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
  }

  private void deploy(ServerContext context, ServerOptions options, int loops) {
    wait(
        vertx.deployVerticle(
            () -> new HttpVerticle(context, options, port),
            new DeploymentOptions().setInstances(loops)));
  }

  /** Vert.x shares a port between event loops only if it is told which. */
  private static int port(ServerOptions options) {
    if (options.port() != 0) {
      return options.port();
    }
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(options.host()))) {
      return free.getLocalPort();
    } catch (IOException failed) {
      throw new IllegalStateException(
          "cannot listen on " + options.host() + ": " + failed.getMessage(), failed);
    }
  }

  private void follow(SharedAdminOverrides switches) {
    vertx.setPeriodic(1, LOOK_MILLIS, timer -> switches.look());
  }

  int port() {
    return port;
  }

  /** Takes no more connections, lets requests under way end, and stops the threads. */
  @Override
  public void close() {
    wait(vertx.close());
  }

  private static <T> T wait(Future<T> future) {
    return future.toCompletionStage().toCompletableFuture().join();
  }
}
