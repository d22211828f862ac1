package dev.weir.spring.gateway;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.http.HttpAnswer;
import dev.weir.http.RateLimitFields;
import dev.weir.rules.Attributes;
import dev.weir.rules.RuleSet;
import dev.weir.spring.RateLimitedException;
import dev.weir.spring.internal.rules.RulesByName;
import dev.weir.spring.internal.setting.InvalidSettingException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.cloud.gateway.support.ConfigurationService;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The {@code RateLimiter} of the gateway's own filter {@code RequestRateLimiter}: routes that have
 * it keep their configuration, and are limited exactly.
 *
 * <pre>{@code
 * filters:
 *   - name: RequestRateLimiter
 *     args: {redis-rate-limiter.replenishRate: 10, redis-rate-limiter.burstCapacity: 20}
 *   - name: RequestRateLimiter
 *     args: {weir-rate-limiter.rule: orders}
 * }</pre>
 *
 * <p>A rule gets the value of the key resolver as the attribute {@code key}, and {@code route}. The
 * filter {@code Weir} sees the whole request and answers with a body; prefer it for new routes.
 */
public final class WeirRateLimiter extends AbstractRateLimiter<WeirRateLimiter.Config> {
  private static final String NAME = "weir-rate-limiter";
  private static final String REDIS_NAME = "redis-rate-limiter";
  private static final int STORE_FAILED = 503;

  private final RulesByName rules;
  private final RateLimiter limiter;
  private final RateLimitFields fields;

  public WeirRateLimiter(
      RulesByName rules,
      RateLimiter limiter,
      RateLimitFields fields,
      @Nullable ConfigurationService configuration) {
    super(Config.class, NAME, configuration);
    this.rules = rules;
    this.limiter = limiter;
    this.fields = fields;
  }

  /**
   * Reads the arguments of a route, also those of the gateway's limiter over Redis.
   *
   * @throws InvalidSettingException if they cannot be used; the gateway then refuses the route, and
   *     a route of the same id that is in use keeps its arguments
   */
  @Override
  public void onApplicationEvent(FilterArgsEvent event) {
    String routeId = event.getRouteId();
    Config earlier = getConfig().get(routeId);
    super.onApplicationEvent(
        new FilterArgsEvent(event.getSource(), routeId, renamed(event.getArgs())));
    Config read = getConfig().get(routeId);
    if (read == null || read == earlier) {
      return;
    }
    try {
      check(read, " of the route " + routeId);
    } catch (InvalidSettingException refused) {
      restore(routeId, earlier);
      throw refused;
    }
  }

  private static Map<String, Object> renamed(Map<String, Object> arguments) {
    Map<String, Object> renamed = new HashMap<>();
    arguments.forEach(
        (name, value) ->
            renamed.put(
                name.startsWith(REDIS_NAME + ".")
                    ? NAME + name.substring(REDIS_NAME.length())
                    : name,
                value));
    return renamed;
  }

  private void check(Config config, String place) {
    if (config.rule != null) {
      rules.require(config.rule, NAME + ".rule" + place);
    } else if (config.replenishRate == 0) {
      throw new InvalidSettingException(
          NAME + ".rule" + place,
          "empty",
          "must name a rule, one of "
              + rules.all().names()
              + ", or replenishRate must be set instead of it");
    } else {
      checkNumber("replenishRate", place, config.replenishRate);
      checkNumber("burstCapacity", place, config.burstCapacity);
    }
    checkNumber("requestedTokens", place, config.requestedTokens);
  }

  private static void checkNumber(String name, String place, long value) {
    if (value < 1) {
      throw new InvalidSettingException(name + place, Long.toString(value), "must be 1 or more");
    }
  }

  private void restore(String routeId, @Nullable Config earlier) {
    if (earlier == null) {
      getConfig().remove(routeId);
    } else {
      getConfig().put(routeId, earlier);
    }
  }

  /**
   * Decides about a request.
   *
   * @return fails with a {@link RateLimitedException} or a {@link
   *     dev.weir.StoreUnavailableException} if the store failed and the failure policy is to deny
   *     or to fail; both are answered 503 with the problem body
   */
  @Override
  public Mono<Response> isAllowed(String routeId, String key) {
    List<Claim> claims = claims(routeId, key);
    CompletableFuture<Decision> decided = limiter.async().decide(claims).toCompletableFuture();
    Mono<Response> response = Mono.fromFuture(decided, true).flatMap(this::response);
    return decided.isDone() ? response : response.publishOn(Schedulers.parallel());
  }

  /**
   * The gateway's filter answers every denial alike, with 429 or the status of its configuration.
   * So a denial because the store failed is given as an error, which is answered 503.
   */
  private Mono<Response> response(Decision decision) {
    HttpAnswer answer = HttpAnswer.of(decision, fields);
    return answer.status() == STORE_FAILED
        ? Mono.error(new RateLimitedException(decision, fields))
        : Mono.just(new Response(answer.allowed(), answer.fields()));
  }

  private List<Claim> claims(String routeId, String key) {
    Config config = config(routeId);
    if (config.rule == null) {
      Limit limit =
          Limit.tokenBucket(config.replenishRate, Duration.ofSeconds(1))
              .withBurst(config.burstCapacity);
      Policy policy = Policy.of("gateway-" + routeId, routeId, limit);
      return List.of(new Claim(policy, key, config.requestedTokens));
    }
    RuleSet rule =
        rules.findOrEmpty(config.rule, "the filter RequestRateLimiter of the route " + routeId);
    return rule.claims(Attributes.of(Map.of("key", key, "route", routeId)), config.requestedTokens);
  }

  private Config config(String routeId) {
    Config own = getConfig().get(routeId);
    Config config =
        own == null ? getConfig().get(RouteDefinitionRouteLocator.DEFAULT_FILTERS) : own;
    if (config == null) {
      throw new IllegalStateException(
          "the filter RequestRateLimiter of the route "
              + routeId
              + " must have weir-rate-limiter.rule, or redis-rate-limiter.replenishRate");
    }
    return config;
  }

  /** The arguments of a route. */
  public static final class Config {
    private @Nullable String rule;
    private int replenishRate;
    private long burstCapacity = 1;
    private int requestedTokens = 1;

    /** The name of a rule, instead of the numbers. */
    public @Nullable String getRule() {
      return rule;
    }

    public void setRule(String newRule) {
      rule = newRule;
    }

    /** Permits per second. */
    public int getReplenishRate() {
      return replenishRate;
    }

    public void setReplenishRate(int newReplenishRate) {
      replenishRate = newReplenishRate;
    }

    /** The most permits at once; 1 unless it is set, as with the gateway's own limiter. */
    public long getBurstCapacity() {
      return burstCapacity;
    }

    public void setBurstCapacity(long newBurstCapacity) {
      burstCapacity = newBurstCapacity;
    }

    /** Permits that a request costs. */
    public int getRequestedTokens() {
      return requestedTokens;
    }

    public void setRequestedTokens(int newRequestedTokens) {
      requestedTokens = newRequestedTokens;
    }
  }
}
