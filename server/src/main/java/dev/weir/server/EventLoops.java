package dev.weir.server;

import dev.weir.server.http.HttpFront;
import dev.weir.server.service.SharedSwitches;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The threads that serve, one per processor, and what runs on them. */
final class EventLoops implements AutoCloseable {
  private static final long LOOK_MILLIS = 1000;

  private final Vertx vertx;
  private @Nullable HttpFront front;

  private EventLoops(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * @throws IllegalStateException if the port cannot be had
   */
  static EventLoops start(HttpFront.Parts parts, ServerOptions options) {
    int loops = Runtime.getRuntime().availableProcessors();
    EventLoops started = new EventLoops(Vertx.vertx(vertxOptions(loops)));
    try {
      started.deploy(parts, options, loops);
    } catch (CompletionException failed) {
      started.close();
      throw new IllegalStateException(
          "cannot listen on "
              + options.host()
              + ":"
              + options.port()
              + ": "
              + failed.getCause().getMessage(),
          failed.getCause());
    }
    started.follow(parts.switches());
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

  /** The first one may pick a free port; the others then listen on the same. */
  private void deploy(HttpFront.Parts parts, ServerOptions options, int loops) {
    front = new HttpFront(parts, options, options.port());
    wait(vertx.deployVerticle(front));
    if (loops > 1) {
      wait(
          vertx.deployVerticle(
              () -> new HttpFront(parts, options, front.port()),
              new DeploymentOptions().setInstances(loops - 1)));
    }
  }

  private void follow(SharedSwitches switches) {
    vertx.setPeriodic(1, LOOK_MILLIS, timer -> switches.look());
  }

  int port() {
    return front.port();
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
