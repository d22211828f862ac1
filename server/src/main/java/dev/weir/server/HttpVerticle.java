package dev.weir.server;

import dev.weir.rules.RuleStatus;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.RequestTracker;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminCalls;
import dev.weir.server.http.admin.AdminGate;
import dev.weir.server.http.admin.ExplainCall;
import dev.weir.server.http.admin.LeaseStatusCall;
import dev.weir.server.http.admin.RuleCalls;
import dev.weir.server.http.decision.AuthorizeCall;
import dev.weir.server.http.decision.DecisionCalls;
import dev.weir.server.http.decision.DecisionResponse;
import dev.weir.server.http.decision.OutcomeCall;
import dev.weir.server.http.decision.ReceiptCompletionCalls;
import dev.weir.server.http.envoy.RateLimitJsonCall;
import dev.weir.server.http.probe.MetricsCall;
import dev.weir.server.http.probe.ProbeCalls;
import dev.weir.server.service.AuditTrail;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The HTTP server of one port; one instance per event loop. */
final class HttpVerticle extends VerticleBase {
  /** The same over HTTP/1 and HTTP/2; the latter counts 32 bytes more for each field. */
  private static final int MAX_HEADER_BYTES = 16_384;

  /**
   * Send buffer of the system, for answers that a client does not read. By default it grows to
   * megabytes, and thousands of such clients would use up the memory for all sockets.
   */
  private static final int SEND_BYTES = 16_384;

  /**
   * Receive buffer of the system, for requests that are not read yet; bounded for the same reason.
   */
  private static final int RECEIVE_BYTES = 65_536;

  private static final int MAX_STREAMS = 100;

  /** How much larger rules may be than another body. */
  static final int RULES_FACTOR = 16;

  private static final long POLL_INTERVAL_MILLIS = 1000;

  private final ServerContext shared;
  private final ServerOptions options;
  private final ServerPort port;
  private Optional<ServerTls> tls = Optional.empty();
  private HttpServer server;

  HttpVerticle(ServerContext shared, ServerOptions options, ServerPort port) {
    this.shared = shared;
    this.options = options;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    RequestTracker tracker =
        new RequestTracker(
            context,
            shared.memory(),
            port.connections(),
            options.requestTime().toMillis(),
            shared.health()::draining);
    vertx.setPeriodic(POLL_INTERVAL_MILLIS, timer -> tracker.endLate(System.nanoTime()));
    tls = options.tls().map(files -> ServerTls.of(options, files, port));
    server =
        vertx
            .createHttpServer(serverOptions())
            .connectionHandler(tracker::opened)
            .requestHandler(router(tracker));
    return server
        .listen()
        .onSuccess(on -> tls.ifPresent(settings -> settings.follow(vertx, server)));
  }

  @Override
  public Future<?> stop() {
    return server.shutdown(
        options.deadline().toMillis() + POLL_INTERVAL_MILLIS, TimeUnit.MILLISECONDS);
  }

  private Router router(RequestTracker tracker) {
    StoreCallRunner storeCalls =
        new StoreCallRunner(
            context, tracker, options.maxBodyBytes(), shared.waiting(), options.clientAddress());
    Router router = new Router(shared.registry(), tracker);
    if (port.decisions()) {
      addDecisions(router, storeCalls);
    }
    if (port.administration()) {
      addAdministration(router, storeCalls);
    }
    new ProbeCalls(
            shared.health(),
            shared.waiting(),
            exchange -> port.administration() && shared.dashboard().page().answered(exchange))
        .addTo(router);
    return router;
  }

  private void addDecisions(Router router, StoreCallRunner storeCalls) {
    DecisionResponse responses =
        new DecisionResponse(options.fields(), shared.overrides().here(), shared.service()::text);
    new DecisionCalls(shared.service(), storeCalls, responses).addTo(router);
    new ReceiptCompletionCalls(shared.service(), storeCalls.neverShed()).addTo(router);
    new OutcomeCall(shared.service(), storeCalls).addTo(router);
    new RateLimitJsonCall(
            shared.envoy().service(),
            shared.envoy().details(),
            storeCalls,
            gate(),
            options.maxBodyBytes())
        .addTo(router);
    new AuthorizeCall(shared.service(), storeCalls, responses, options.clientAddress())
        .addTo(router);
  }

  private void addAdministration(Router router, StoreCallRunner storeCalls) {
    StoreCallRunner neverShed = storeCalls.neverShed();
    AdminGate gate = gate();
    BlockingTaskPool work = BlockingTaskPool.unbounded(vertx);
    AuditTrail audit = shared.dashboard().audit();
    new AdminCalls(
            shared.service(), shared.overrides(), shared.denied(), audit, neverShed, work, gate)
        .addTo(router);
    new LeaseStatusCall(shared.leases(), gate).addTo(router);
    boolean open = options.openExplain();
    int mostBytes = options.maxBodyBytes() * RULES_FACTOR;
    RuleStatus status = shared.health().rules();
    new RuleCalls(shared.rules(), status, audit, neverShed, work, gate, open, mostBytes)
        .addTo(router);
    new ExplainCall(
            shared.service(),
            open ? storeCalls : neverShed,
            open ? work.bounded() : work,
            gate,
            open,
            shared.leases())
        .addTo(router);
    new MetricsCall(context, shared.scrapes(), options.adminPort().isPresent()).addTo(router);
    shared.dashboard().addTo(router, storeCalls, work, gate, shared, options);
  }

  private AdminGate gate() {
    return new AdminGate(options.adminToken(), shared.demo());
  }

  private HttpServerOptions serverOptions() {
    HttpServerOptions http =
        new HttpServerOptions()
            .setHost(port.host())
            .setPort(port.number())
            .setMaxHeaderSize(MAX_HEADER_BYTES)
            .setMaxInitialLineLength(MAX_HEADER_BYTES)
            .setInitialSettings(
                new Http2Settings()
                    .setMaxConcurrentStreams(MAX_STREAMS)
                    .setMaxHeaderListSize(MAX_HEADER_BYTES))
            // Otherwise a connection would be counted only when its first byte arrives.
            .setHttp2ClearTextEnabled(false)
            // With either of these, 128 pipelined requests close the connection without an answer.
            .setPerMessageWebSocketCompressionSupported(false)
            .setPerFrameWebSocketCompressionSupported(false)
            .setHandle100ContinueAutomatically(true)
            .setTcpNoDelay(true)
            .setSendBufferSize(SEND_BYTES)
            .setReceiveBufferSize(RECEIVE_BYTES);
    tls.ifPresent(settings -> settings.addTo(http));
    return http;
  }
}
