package dev.weir.server.http;

import dev.weir.server.ServerOptions;
import dev.weir.server.service.Health;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.RuleBook;
import dev.weir.server.service.SharedSwitches;
import dev.weir.server.service.TopDenied;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Everything over HTTP, once per event loop; all of them listen on one port. */
public final class HttpFront extends VerticleBase {
  private static final int MOST_HEADER_BYTES = 16_384;
  private static final int RULES_FACTOR = 16;
  private static final long LOOK_MILLIS = 1000;

  private final Parts parts;
  private final ServerOptions options;
  private final int port;
  private HttpServer server;

  /**
   * What the calls are made of, shared by all event loops.
   *
   * @param demo whether administrators on this machine need no token
   * @param connections how many are open
   */
  public record Parts(
      LimitService service,
      RuleBook rules,
      SharedSwitches switches,
      TopDenied denied,
      Health health,
      PrometheusMeterRegistry registry,
      InFlight inFlight,
      AtomicInteger connections,
      boolean demo) {}

  public HttpFront(Parts parts, ServerOptions options, int port) {
    this.parts = parts;
    this.options = options;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    Connections connections =
        new Connections(
            options.maxConnections(), options.idleTime().toMillis(), parts.connections());
    Bodies bodies = new Bodies(options.requestTime().toMillis());
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

  private static void handle(HttpServerRequest request, Connections connections, Router router) {
    connections.used(request.connection(), System.currentTimeMillis());
    router.handle(request);
  }

  private Router router(Bodies bodies) {
    Asking asking = new Asking(context, bodies, options.maxBodyBytes(), parts.inFlight());
    Answering answering = new Answering(options.fields(), parts.switches().here());
    AdminGate gate = new AdminGate(options.adminToken(), parts.demo());
    Router router = new Router(parts.registry());
    new DecisionCalls(parts.service(), asking, answering).addTo(router);
    new AuthorizeCall(parts.service(), asking, answering, options.clientAddress()).addTo(router);
    new AdminCalls(parts.service(), parts.switches(), parts.denied(), asking.neverShed(), gate)
        .addTo(router);
    new RuleCalls(context, parts.rules(), asking, gate, options.maxBodyBytes() * RULES_FACTOR)
        .addTo(router);
    new ProbeCalls(
            context, parts.health(), parts.switches().here(), parts.inFlight(), parts.registry())
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
