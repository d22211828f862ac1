package dev.weir.server;

import dev.weir.internal.CompletionFailures;
import dev.weir.server.connection.AcceptCountingTransport;
import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.http.RequestMemory;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The threads that serve, one per processor, and what runs on them. */
final class EventLoops implements AutoCloseable {
  private static final long LOOK_MILLIS = 1000;
  private static final int MAX_ADMIN_CONNECTIONS = 200;
  private static final Duration LAST_ANSWERS = Duration.ofMillis(200);
  private static final Duration LEAST_UNDER_WAY = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(2);

  private final Vertx vertx;
  private final List<ServerPort> ports;
  private final RequestMemory memory;
  private final Duration underWay;

  private EventLoops(
      Vertx vertx, List<ServerPort> ports, RequestMemory memory, Duration requestTime) {
    this.vertx = vertx;
    this.ports = ports;
    this.memory = memory;
    this.underWay = requestTime.compareTo(LEAST_UNDER_WAY) > 0 ? requestTime : LEAST_UNDER_WAY;
  }

  /**
   * @throws IllegalStateException if a port cannot be opened
   */
  static EventLoops start(ServerContext context, ServerOptions options) {
    if (options.adminCa().isPresent()
        && (options.adminPort().isEmpty() || options.tls().isEmpty())) {
      throw new IllegalArgumentException("adminCa needs an adminPort, and tls");
    }
    int loops = Runtime.getRuntime().availableProcessors();
    List<ServerPort> ports = ports(options);
    EventLoops started =
        new EventLoops(vertx(loops, ports), ports, context.memory(), options.requestTime());
    for (ServerPort port : ports) {
      try {
        started.deploy(context, options, port, port.decisions() ? loops : 1);
      } catch (CompletionException failed) {
        started.close();
        Throwable cause = Objects.requireNonNull(CompletionFailures.unwrap(failed));
        throw new IllegalStateException(
            "cannot listen on " + port.host() + ":" + port.number() + ": " + cause.getMessage(),
            cause);
      }
    }
    ProcessMeters.bind(context.registry(), ports);
    started.closeIdle(options.idleTime().toMillis());
    return started;
  }

  /** The port for clients and, if it is another, the one for administrators. */
  private static List<ServerPort> ports(ServerOptions options) {
    boolean tls = options.tls().isPresent();
    boolean apart = options.adminPort().isPresent();
    List<ServerPort> ports = new ArrayList<>();
    ports.add(
        new ServerPort(
            options.host(),
            free(options.host(), options.port()),
            /* decisions= */ true,
            /* administration= */ !apart,
            new ConnectionRegistry(options.maxConnections(), tls)));
    if (apart) {
      String host = options.adminHost();
      ports.add(
          new ServerPort(
              host,
              free(host, options.adminPort().getAsInt()),
              /* decisions= */ false,
              /* administration= */ true,
              new ConnectionRegistry(MAX_ADMIN_CONNECTIONS, tls)));
    }
    return ports;
  }

  /**
   * One more event loop for the port of administrators, which a flood of clients cannot keep busy.
   */
  private static Vertx vertx(int loops, List<ServerPort> ports) {
    Map<Integer, ConnectionRegistry> byPort =
        ports.stream().collect(Collectors.toMap(ServerPort::number, ServerPort::connections));
    return Vertx.builder()
        .with(vertxOptions(loops + ports.size() - 1))
        .withTransport(new AcceptCountingTransport(byPort).forVertx())
        .build();
  }

  /** Files are neither cached nor served from the class path, which would slow down the start. */
  private static VertxOptions vertxOptions(int loops) {
    return new VertxOptions()
        .setEventLoopPoolSize(loops)
        .setWorkerPoolSize(2)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
  }

  private void deploy(
      ServerContext context, ServerOptions options, ServerPort port, int instances) {
    wait(
        vertx.deployVerticle(
            () -> new HttpVerticle(context, options, port),
            new DeploymentOptions().setInstances(instances)));
  }

  /** A free port is chosen here, because Vert.x shares only a known port between event loops. */
  private static int free(String host, int port) {
    if (port != 0) {
      return port;
    }
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName(host))) {
      return free.getLocalPort();
    } catch (IOException failed) {
      throw new IllegalStateException(
          "cannot listen on " + host + ": " + failed.getMessage(), failed);
    }
  }

  private void closeIdle(long idleMillis) {
    vertx.setPeriodic(
        LOOK_MILLIS,
        timer -> {
          long now = System.currentTimeMillis();
          ports.forEach(port -> port.connections().closeIdle(now, idleMillis));
        });
  }

  /** Those that all clients have together, over HTTP and gRPC. */
  ConnectionRegistry clientConnections() {
    return ports.get(0).connections();
  }

  int port() {
    return ports.get(0).number();
  }

  /** Where administrators are served: the port of clients, unless there is another. */
  int adminPort() {
    return ports.get(ports.size() - 1).number();
  }

  /**
   * Gives clients that are about to send a request the time for a last answer, and requests that
   * have begun the time that a request may take.
   */
  void finish() {
    await(() -> ports.stream().allMatch(each -> each.connections().size() == 0), LAST_ANSWERS);
    await(() -> memory.held() == 0, underWay);
  }

  private static void await(BooleanSupplier done, Duration most) {
    long endNanos = System.nanoTime() + most.toNanos();
    while (!done.getAsBoolean() && System.nanoTime() < endNanos) {
      LockSupport.parkNanos(PAUSE.toNanos());
    }
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
