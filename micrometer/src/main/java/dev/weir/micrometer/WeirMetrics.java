package dev.weir.micrometer;

import dev.weir.Decision;
import dev.weir.DecisionListener;
import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.Outcome;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.text.KebabCase;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RuleListener;
import dev.weir.rules.RuleSet;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a limiter does, as metrics of a registry. Safe for many threads; make one per registry.
 *
 * <pre>{@code
 * WeirMetrics metrics = new WeirMetrics(registry);
 * LimitStore store =
 *     GuardedStore.builder(metrics.timed(RedisStore.connect(uri))).listener(metrics).build();
 * RateLimiter limiter = RateLimiter.forClaims(store, metrics);
 * liveRules.listen(metrics);
 * }</pre>
 *
 * <p>A key is never part of a metric: there are as many series as there are limits, whatever
 * clients make up. All names are in {@code docs/metrics.md}.
 */
public final class WeirMetrics implements DecisionListener, GuardListener, RuleListener {
  private final MeterRegistry registry;
  private final Map<LimitName, LimitMeters> limits = new ConcurrentHashMap<>();
  private final Map<Operation, RequestMeters> requests = new EnumMap<>(Operation.class);
  private final GuardMeters guards;
  private final RuleMeters rules;

  public WeirMetrics(MeterRegistry registry) {
    this.registry = Objects.requireNonNull(registry, "registry must not be null");
    for (Operation operation : Operation.values()) {
      requests.put(operation, new RequestMeters(registry, operation));
    }
    guards = new GuardMeters(registry);
    rules = new RuleMeters(registry);
  }

  /**
   * The same store with its latency measured. Put it right around a store, inside any guards: then
   * it shows what the store did, and not what a guard answered in its place.
   */
  public LimitStore timed(LimitStore store) {
    return new TimedStore(Objects.requireNonNull(store, "store must not be null"), registry);
  }

  /** Publishes what a store has leased of hot keys. */
  public void leases(GuardedStore store) {
    LeaseMeters.bind(store::leases, registry);
  }

  @Override
  public void decided(Operation operation, Decision decision) {
    requests.get(operation).count(decision);
    List<Outcome> outcomes = decision.outcomes();
    for (int i = 0; i < outcomes.size(); i++) { // no iterator: this runs for every request
      Outcome outcome = outcomes.get(i);
      meters(outcome).count(operation, outcome, decision.allowed());
    }
  }

  @Override
  public void failed(Operation operation, StoreUnavailableException failure) {
    requests.get(operation).countFailure();
  }

  @Override
  public void warned(Outcome outcome) {
    meters(outcome).warned();
  }

  private LimitMeters meters(Outcome outcome) {
    LimitName name = new LimitName(outcome.policy().rule(), outcome.policy().name());
    LimitMeters known = limits.get(name);
    return known == null
        ? limits.computeIfAbsent(name, fresh -> new LimitMeters(registry, fresh))
        : known;
  }

  @Override
  public void breakerOpened(String node, StoreUnavailableException cause) {
    guards.opened(node);
  }

  @Override
  public void breakerClosed(String node) {
    guards.closed(node);
  }

  @Override
  public void nodeRefuses(String node, StoreUnavailableException cause) {
    guards.refuses(node, true);
  }

  @Override
  public void nodeAccepts(String node) {
    guards.refuses(node, false);
  }

  @Override
  public void fallbackStarted() {
    guards.fallback(true);
  }

  @Override
  public void fallbackEnded() {
    guards.fallback(false);
  }

  @Override
  public void replaced(RuleSet next) {
    rules.taken(next.names().size());
  }

  @Override
  public void refused(InvalidRulesException why) {
    rules.refused();
  }

  /** Which limit a series belongs to. */
  record LimitName(String rule, String limit) {
    String[] tags() {
      return new String[] {"rule", rule, "limit", limit};
    }
  }

  /** Whole requests, whatever limits they were held against. */
  private static final class RequestMeters {
    private final Counter allowed;
    private final Counter denied;
    private final Counter failed;

    RequestMeters(MeterRegistry registry, Operation operation) {
      allowed = counter(registry, operation, "allowed");
      denied = counter(registry, operation, "denied");
      failed = counter(registry, operation, "failed");
    }

    private static Counter counter(MeterRegistry registry, Operation operation, String outcome) {
      return Counter.builder("weir.requests")
          .description("Requests by what became of them, those that no limit applies to included")
          .tags("operation", KebabCase.of(operation), "outcome", outcome)
          .register(registry);
    }

    void count(Decision decision) {
      (decision.allowed() ? allowed : denied).increment();
    }

    void countFailure() {
      failed.increment();
    }
  }
}
