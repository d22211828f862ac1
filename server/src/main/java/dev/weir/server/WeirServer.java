package dev.weir.server;

import dev.weir.AsyncRateLimiter;
import dev.weir.RateLimiter;
import dev.weir.micrometer.WeirMetrics;
import dev.weir.redis.RedisStore;
import dev.weir.server.http.InFlight;
import dev.weir.server.http.RequestMemory;
import dev.weir.server.http.probe.SharedScrape;
import dev.weir.server.service.AdminOverrides;
import dev.weir.server.service.Health;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.RulePublisher;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.StoreStatus;
import dev.weir.server.service.TopDeniedKeys;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

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
  private static final String MEMORY = "memory";

  private final ServerOptions options;
  private final RuleSource rules;
  private final StoreHandle store;
  private final Health health;
  private final EventLoops loops;
  private final AtomicBoolean closing = new AtomicBoolean();

  private WeirServer(ServerOptions options, RuleSource rules) {
    this.options = options;
    this.rules = rules;
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    WeirMetrics metrics = new WeirMetrics(registry);
    StoreStatus guards = new StoreStatus();
    store =
        StoreHandle.open(
            address(), options, metrics::timed, CompositeListeners.both(guards, metrics));
    health = new Health(store.name(), guards, store::warnings);
    metrics.replaced(rules.rules().get());
    rules.rules().listen(metrics);
    rules.rules().listen(health);
    if (options.sharedRules()) {
      rules.follow(sharedRedis(), RulePublisher.SHARED_NAME);
    }
    loops = EventLoops.start(context(registry, metrics), options);
    health.ready(true);
  }

  /**
   * Starts to serve; returns when requests can come.
   *
   * @throws dev.weir.rules.InvalidRulesException if the rules have a fault
   * @throws IllegalArgumentException if the settings do not fit together
   * @throws dev.weir.StoreUnavailableException if the store is required and away
   * @throws IllegalStateException if the port cannot be had
   */
  public static WeirServer start(ServerOptions options) {
    RuleSource rules = RuleSource.open(options);
    try {
      return new WeirServer(options, rules);
    } catch (RuntimeException failed) {
      rules.close();
      throw failed;
    }
  }

  private String address() {
    return options.store().or(() -> rules.rules().get().store()).orElse(MEMORY);
  }

  private RedisStore sharedRedis() {
    return store
        .shared()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "shared rules need a Redis that all instances share; the store is memory"));
  }

  private ServerContext context(PrometheusMeterRegistry registry, WeirMetrics metrics) {
    TopDeniedKeys denied = new TopDeniedKeys(System::currentTimeMillis);
    AsyncRateLimiter limiter =
        RateLimiter.over(store.store(), CompositeListeners.both(metrics, denied)).async();
    AdminOverrides switches = new AdminOverrides(System::currentTimeMillis);
    ProcessMeters.bind(registry);
    ProcessMeters.bind(registry, switches);
    if (store.memory() != null) {
      ProcessMeters.bind(registry, store.memory(), options.maxKeys());
    }
    Optional<RedisStore> sharing = options.sharedRules() ? store.shared() : Optional.empty();
    return new ServerContext(
        new LimitService(rules.rules(), limiter, switches),
        new RulePublisher(rules.rules(), sharing),
        new SharedAdminOverrides(switches, store.shared()),
        denied,
        health,
        registry,
        new InFlight(options.maxInFlight(), registry),
        new RequestMemory(options.maxRequestBytes(), registry),
        new SharedScrape(registry::scrape),
        rules.isSample());
  }

  /** The port it listens on. */
  public int port() {
    return loops.port();
  }

  /** The port on which administrators and scrapers are served. */
  public int adminPort() {
    return loops.adminPort();
  }

  /** The store's name for people, without a password. */
  public String store() {
    return store.name();
  }

  /** Whether nobody has said which rules to serve. */
  public boolean servesSample() {
    return rules.isSample();
  }

  public List<String> ruleNames() {
    return rules.rules().get().names();
  }

  /**
   * Says that it is not ready, goes on answering for the time that a balancer needs to notice, lets
   * requests under way end, and stops.
   */
  @Override
  public void close() {
    if (closing.getAndSet(true)) {
      return;
    }
    health.ready(false);
    drain();
    loops.close();
    rules.close();
    store.close();
  }

  private void drain() {
    try {
      Thread.sleep(options.drain().toMillis());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}
