package dev.weir.server;

import dev.weir.AsyncRateLimiter;
import dev.weir.DecisionListener;
import dev.weir.GuardListener;
import dev.weir.RateLimiter;
import dev.weir.StoreStatus;
import dev.weir.internal.schedule.RepeatingTask;
import dev.weir.internal.schedule.Workers;
import dev.weir.micrometer.WeirMetrics;
import dev.weir.rules.RuleStatus;
import dev.weir.server.dashboard.InstanceName;
import dev.weir.server.dashboard.RecentRequests;
import dev.weir.server.dashboard.TrafficRecorder;
import dev.weir.server.grpc.GrpcServer;
import dev.weir.server.http.RequestMemory;
import dev.weir.server.http.WaitingRequests;
import dev.weir.server.http.probe.SharedScrape;
import dev.weir.server.service.AdminOverrides;
import dev.weir.server.service.FleetMembership;
import dev.weir.server.service.Health;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.ReceiptSeal;
import dev.weir.server.service.RulePublisher;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.TopDeniedKeys;
import dev.weir.spi.LimitStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The service, running. Safe for many threads.
 *
 * <pre>{@code
 * try (WeirServer server = WeirServer.start(new ServerOptions().port(8080))) {
 *   System.out.println("http://localhost:" + server.port());
 * }
 * }</pre>
 */
public final class WeirServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(WeirServer.class.getName());
  private static final String MEMORY = "memory";
  private static final Duration HEALTH_INTERVAL = Duration.ofSeconds(1);

  private final ServerOptions options;
  private final CloseableStack parts;
  private final RuleSource rules;
  private final StoreHandle store;
  private final Health health;
  private final EventLoops loops;
  private final Optional<GrpcServer> grpc;
  private final AtomicBoolean closing = new AtomicBoolean();

  /** Opens the store of a service, with its metrics around it and its listeners notified. */
  private interface StoreOpener {
    StoreHandle open(RuleSource rules, UnaryOperator<LimitStore> timed, GuardListener listener);
  }

  private WeirServer(
      ServerOptions options, CloseableStack parts, RuleSource source, StoreOpener opener) {
    this.options = options;
    this.parts = parts;
    rules = parts.add(source);
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    WeirMetrics metrics = new WeirMetrics(registry);
    StoreStatus status = new StoreStatus();
    store =
        parts.add(opener.open(rules, metrics::timed, GuardListener.all(List.of(status, metrics))));
    RulePublisher publisher = publisher();
    SharedAdminOverrides overrides =
        parts.add(
            SharedAdminOverrides.start(
                new AdminOverrides(System::currentTimeMillis), store.sharedText("switches")));
    health = new Health(store.name(), status, ruleStatus(metrics), overrides, this::warnings);
    ServerContext context = context(registry, metrics, publisher, overrides);
    loops = parts.add(EventLoops.start(context, options));
    grpc = grpc(context);
    parts.add(context.dashboard().start());
  }

  /**
   * Starts the service; returns when it accepts requests. A start that fails closes what it has
   * opened.
   *
   * @throws dev.weir.rules.InvalidRulesException if the rules have a fault
   * @throws IllegalArgumentException if the settings do not fit together
   * @throws dev.weir.StoreUnavailableException if the store is required and does not answer
   * @throws IllegalStateException if the port cannot be opened or the certificate cannot be read
   */
  public static WeirServer start(ServerOptions options) {
    WeirServer server =
        opened(
            parts ->
                new WeirServer(
                    options,
                    parts,
                    RuleSource.open(options),
                    (rules, timed, listener) -> openStore(options, rules, timed, listener)));
    server.logHealth();
    server.becomeReady();
    server.logStart();
    return server;
  }

  private static WeirServer opened(Function<CloseableStack, WeirServer> service) {
    CloseableStack parts = new CloseableStack();
    try {
      return service.apply(parts);
    } catch (RuntimeException | Error failed) {
      parts.close();
      throw failed;
    }
  }

  private static StoreHandle openStore(
      ServerOptions options,
      RuleSource rules,
      UnaryOperator<LimitStore> timed,
      GuardListener listener) {
    StoreHandle opened = StoreHandle.open(address(options, rules), options, timed, listener);
    ServerWarmUp.run(opened.bare(), opened.store());
    return opened;
  }

  /** Sample rules are for trying out, and must not count in a store that others use. */
  private static String address(ServerOptions options, RuleSource rules) {
    String address = options.store().or(() -> rules.rules().get().store()).orElse(MEMORY);
    if (rules.isSample() && !address.equals(MEMORY)) {
      throw new IllegalArgumentException(
          "sample rules are served from memory only: give rules of your own, or no store");
    }
    return address;
  }

  private RulePublisher publisher() {
    if (!options.sharedRules()) {
      return rules.keep();
    }
    return store
        .sharedText(RulePublisher.SHARED_NAME)
        .map(rules::share)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "shared rules need a Redis that all instances share; the store is memory"));
  }

  private RuleStatus ruleStatus(WeirMetrics metrics) {
    RuleStatus status = new RuleStatus(rules.rules().get(), rules::name);
    metrics.replaced(rules.rules().get());
    rules.rules().listen(metrics);
    rules.rules().listen(status);
    return status;
  }

  private List<String> warnings() {
    return Stream.concat(store.warnings().stream(), rules.warnings().stream()).toList();
  }

  private ServerContext context(
      PrometheusMeterRegistry registry,
      WeirMetrics metrics,
      RulePublisher publisher,
      SharedAdminOverrides overrides) {
    TopDeniedKeys denied = new TopDeniedKeys(System::currentTimeMillis);
    TrafficRecorder traffic = new TrafficRecorder(System::currentTimeMillis);
    AsyncRateLimiter limiter =
        RateLimiter.forClaims(
                store.store(),
                DecisionListener.all(List.of(metrics, denied, health.store(), traffic)))
            .async();
    bindMeters(registry, overrides.here());
    store.guards().ifPresent(metrics::leases);
    RecentRequests recent = new RecentRequests(System::currentTimeMillis);
    return new ServerContext(
        new LimitService(rules.rules(), limiter, overrides.here(), recent, seal()),
        publisher,
        overrides,
        denied,
        health,
        registry,
        new WaitingRequests(options.maxInFlight(), registry),
        new RequestMemory(options.maxRequestBytes(), registry),
        new SharedScrape(registry::scrape),
        EnvoyService.of(options, rules.rules(), limiter, overrides.here(), registry),
        Dashboard.of(traffic, recent, registry, denied, health, overrides, store.store(), fleet()),
        store::leases,
        rules.isSample());
  }

  private ReceiptSeal seal() {
    return parts.add(ReceiptSeal.start(store.sharedText("receipts")));
  }

  private FleetMembership fleet() {
    return parts.add(FleetMembership.start(InstanceName.current(), store.sharedText("instances")));
  }

  private Optional<GrpcServer> grpc(ServerContext context) {
    OptionalInt port = options.envoy().grpcPort(!rules.rules().get().descriptors().isEmpty());
    return port.isEmpty()
        ? Optional.empty()
        : Optional.of(
            parts.add(
                context
                    .envoy()
                    .listen(options, port.getAsInt(), context, loops.clientConnections())));
  }

  private void logHealth() {
    health.logChange();
    RepeatingTask logging =
        new RepeatingTask("logging the health", Workers.EXECUTOR, health::logChange);
    parts.add(logging.start(HEALTH_INTERVAL));
  }

  /** A service whose control plane has not sent rules yet would let everything pass. */
  private void becomeReady() {
    boolean waits = options.envoy().xds().filter(xds -> !xds.startWithoutRules()).isPresent();
    CompletableFuture<Void> withRules =
        waits ? rules.first() : CompletableFuture.completedFuture(null);
    CompletableFuture<Void> warm =
        options.warmUp().isZero()
            ? CompletableFuture.completedFuture(null)
            : RequestWarmUp.start(this::warmUpService, options.warmUp(), closing::get);
    ready(false);
    CompletableFuture.allOf(withRules, warm).thenRun(() -> ready(!closing.get()));
  }

  /**
   * A service of its own on a free port of this machine: the same code and the same servers, but
   * rules, metrics and connections that are not those of clients.
   */
  private WeirServer warmUpService() {
    WeirServer opened =
        opened(
            parts ->
                new WeirServer(
                    warmUpOptions(),
                    parts,
                    RuleSource.of(RequestWarmUp.RULES),
                    (rules, timed, listener) -> store.forWarmUp(options, timed, listener)));
    opened.ready(true);
    return opened;
  }

  private ServerOptions warmUpOptions() {
    ServerOptions warming = new ServerOptions().host("127.0.0.1").port(0).drain(Duration.ZERO);
    return grpc.isEmpty() ? warming : warming.envoy(new EnvoyOptions().grpcPort(0));
  }

  private void ready(boolean ready) {
    health.ready(ready);
    grpc.ifPresent(server -> server.ready(ready));
  }

  private void bindMeters(PrometheusMeterRegistry registry, AdminOverrides overrides) {
    ProcessMeters.bind(registry);
    ProcessMeters.bind(registry, overrides);
    ProcessMeters.bind(registry, health);
    rules.rules().listen(new RulesInfoMeter(health.rules(), registry));
    if (store.memory() != null) {
      ProcessMeters.bind(registry, store.memory(), options.maxKeys());
    }
  }

  private void logStart() {
    log(
        "serving on "
            + options.host()
            + ":"
            + port()
            + ", store "
            + store.name()
            + ", "
            + health.rules().inEffect());
  }

  /** The port it listens on. */
  public int port() {
    return loops.port();
  }

  /** The port on which administrators and scrapers are served. */
  public int adminPort() {
    return loops.adminPort();
  }

  /** The port for gRPC; empty if it is not served. */
  public OptionalInt grpcPort() {
    return grpc.isEmpty() ? OptionalInt.empty() : OptionalInt.of(grpc.get().port());
  }

  /** The store's name for people, without a password. */
  public String store() {
    return store.name();
  }

  /** Whether the sample rules are served, because none were given. */
  public boolean servesSample() {
    return rules.isSample();
  }

  public List<String> ruleNames() {
    return rules.rules().get().names();
  }

  /**
   * Reports that it is not ready, answers requests for the time that a balancer needs to notice,
   * lets requests under way end, and stops. From the beginning of the drain every answer closes its
   * connection, so that no client sends its next request to a stopped instance.
   */
  @Override
  public void close() {
    if (closing.getAndSet(true)) {
      return;
    }
    log(
        "stopping: not ready any more, answering for another "
            + options.drain().toMillis()
            + " ms");
    stop();
    log("stopped");
  }

  /** Logs nothing. */
  void stop() {
    ready(false);
    drain();
    grpc.ifPresent(GrpcServer::close);
    loops.finish();
    parts.close();
  }

  private void log(String message) {
    LOG.log(System.Logger.Level.INFO, message);
  }

  private void drain() {
    try {
      Thread.sleep(options.drain().toMillis());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
