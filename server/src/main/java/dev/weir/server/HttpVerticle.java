package dev.weir.server;

import dev.weir.server.http.ConnectionLimit;
import dev.weir.server.http.RequestBodyReader;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminCalls;
import dev.weir.server.http.admin.AdminGate;
import dev.weir.server.http.admin.RuleCalls;
import dev.weir.server.http.decision.AuthorizeCall;
import dev.weir.server.http.decision.DecisionCalls;
import dev.weir.server.http.decision.DecisionResponse;
import dev.weir.server.http.probe.ProbeCalls;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.concurrent.TimeUnit;

/** Everything over HTTP, once per event loop; all of them listen on one port. */
final class HttpVerticle extends VerticleBase {
  private static final int MOST_HEADER_BYTES = 16_384;
  private static final int RULES_FACTOR = 16;
  private static final long LOOK_MILLIS = 1000;

  private final ServerContext shared;
  private final ServerOptions options;
  private final int port;
  private HttpServer server;

  HttpVerticle(ServerContext shared, ServerOptions options, int port) {
    this.shared = shared;
    this.options = options;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    ConnectionLimit connections =
        new ConnectionLimit(
            options.maxConnections(), options.idleTime().toMillis(), shared.connections());
    RequestBodyReader bodies = new RequestBodyReader(options.requestTime().toMillis());
    Router router = router(bodies);
    vertx.setPeriodic(
        LOOK_MILLIS,
        timer -> {
          long now = System.currentTimeMillis();
          bodies.endLate(now);
          connections.closeIdle(now);
        });
    server =
        vertx
            .createHttpServer(serverOptions())
            .connectionHandler(connections::opened)
            .requestHandler(request -> handle(request, connections, router));
    return server.listen();
  }

  @Override
  public Future<?> stop() {
    return server.shutdown(options.deadline().toMillis() + LOOK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static void handle(
      HttpServerRequest request, ConnectionLimit connections, Router router) {
    connections.used(request.connection(), System.currentTimeMillis());
    router.handle(request);
  }

  private Router router(RequestBodyReader bodies) {
    StoreCallRunner storeCalls =
        new StoreCallRunner(context, bodies, options.maxBodyBytes(), shared.inFlight());
    DecisionResponse responses = new DecisionResponse(options.fields(), shared.switches().here());
    AdminGate gate = new AdminGate(options.adminToken(), shared.demo());
    Router router = new Router(shared.registry());
    new DecisionCalls(shared.service(), storeCalls, responses).addTo(router);
    new AuthorizeCall(shared.service(), storeCalls, responses, options.clientAddress())
        .addTo(router);
    new AdminCalls(
            shared.service(), shared.switches(), shared.denied(), storeCalls.neverShed(), gate)
        .addTo(router);
    new RuleCalls(context, shared.rules(), storeCalls, gate, options.maxBodyBytes() * RULES_FACTOR)
        .addTo(router);
    new ProbeCalls(
            context,
            shared.health(),
            shared.switches().here(),
            shared.inFlight(),
            shared.registry())
        .addTo(router);
    return router;
  }

  private HttpServerOptions serverOptions() {
    HttpServerOptions http =
        new HttpServerOptions()
            .setHost(options.host())
            .setPort(port)
            .setMaxHeaderSize(MOST_HEADER_BYTES)
            .setMaxInitialLineLength(MOST_HEADER_BYTES)
            .setHttp2ClearTextEnabled(false) // or a connection counts only from its first byte on
            .setHandle100ContinueAutomatically(true)
            .setTcpNoDelay(true);
    options
        .tls()
        .ifPresent(
            files ->
                http.setSsl(true)
                    .setUseAlpn(true)
                    .setKeyCertOptions(
                        new PemKeyCertOptions()
                            .setCertPath(files.certificate().toString())
                            .setKeyPath(files.key().toString())));
    return http;
  }
}
