package dev.weir.server.http.envoy;

import dev.weir.http.ClientAddress;
import dev.weir.server.RunningService;
import dev.weir.server.connection.ConnectionRegistry;
import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.http.RequestMemory;
import dev.weir.server.http.RequestTracker;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.WaitingRequests;
import dev.weir.server.http.admin.AdminGate;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.util.Optional;

/** An HTTP server with {@code POST /json} alone, for a service whose clock a test moves. */
final class JsonEndpoint extends VerticleBase implements AutoCloseable {
  static final String[] ADMIN = RunningService.ADMIN;
  private static final int MOST_BYTES = 1 << 16;

  private final Vertx owner;
  private final DescriptorService service;
  private final AnswerDetails details;
  private HttpServer server;

  private JsonEndpoint(Vertx owner, DescriptorService service, AnswerDetails details) {
    this.owner = owner;
    this.service = service;
    this.details = details;
  }

  static JsonEndpoint start(DescriptorService service, AnswerDetails details) {
    Vertx vertx = Vertx.vertx();
    JsonEndpoint endpoint = new JsonEndpoint(vertx, service, details);
    vertx.deployVerticle(endpoint).toCompletionStage().toCompletableFuture().join();
    return endpoint;
  }

  @Override
  public Future<?> start() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    RequestTracker tracker =
        new RequestTracker(
            context,
            new RequestMemory(1 << 20, registry),
            new ConnectionRegistry(100, false),
            10_000,
            () -> false);
    StoreCallRunner storeCalls =
        new StoreCallRunner(
            context,
            tracker,
            MOST_BYTES,
            new WaitingRequests(100, registry),
            ClientAddress.ofConnection());
    Router router = new Router(registry, tracker);
    AdminGate gate = new AdminGate(Optional.of(RunningService.TOKEN), false);
    new RateLimitJsonCall(service, details, storeCalls, gate, MOST_BYTES).addTo(router);
    server = vertx.createHttpServer().connectionHandler(tracker::opened).requestHandler(router);
    return server.listen(0, "127.0.0.1");
  }

  int port() {
    return server.actualPort();
  }

  @Override
  public void close() {
    owner.close().toCompletionStage().toCompletableFuture().join();
  }
}
