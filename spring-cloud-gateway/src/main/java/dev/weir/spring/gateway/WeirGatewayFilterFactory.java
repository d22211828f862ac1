package dev.weir.spring.gateway;

import dev.weir.http.HttpLimiter;
import dev.weir.spring.RequestAttribute;
import dev.weir.spring.internal.web.WebLimits;
import dev.weir.spring.internal.web.webflux.ExchangeAnswer;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.AbstractGatewayFilterFactory;
import org.springframework.cloud.gateway.support.HasRouteId;

/**
 * The filter {@code Weir} of the WebFlux server: limits a route by a rule. All limits of the rule
 * apply, whatever its {@code when}, with the whole request: several limits, costs and tiers.
 *
 * <pre>{@code
 * routes:
 *   - id: orders
 *     uri: http://orders:8080
 *     predicates: [Path=/orders/**]
 *     filters: [Weir=orders]
 * }</pre>
 *
 * <p>Besides the usual attributes, a request has {@code route}, the id of its route.
 */
public final class WeirGatewayFilterFactory
    extends AbstractGatewayFilterFactory<WeirGatewayFilterFactory.Config> {
  private final WebLimits limits;

  public WeirGatewayFilterFactory(WebLimits limits) {
    super(Config.class);
    this.limits = limits;
  }

  @Override
  public String name() {
    return "Weir";
  }

  @Override
  public List<String> shortcutFieldOrder() {
    return List.of("rule");
  }

  @Override
  public GatewayFilter apply(Config config) {
    String place = "the filter Weir of the route " + config.getRouteId();
    HttpLimiter limiter = limits.byRule(config.rule, place);
    List<RequestAttribute> attributes = attributes(config.getRouteId());
    return (exchange, chain) ->
        ExchangeAnswer.decideFurther(limiter, attributes, exchange, chain.filter(exchange));
  }

  private List<RequestAttribute> attributes(@Nullable String routeId) {
    RequestAttribute route = RequestAttribute.ofRequest("route", request -> routeId);
    return Stream.concat(Stream.of(route), limits.attributes().stream()).toList();
  }

  /** The arguments of the filter. */
  public static final class Config implements HasRouteId {
    private String rule = "";
    private @Nullable String routeId;

    /** The name of the rule. */
    public String getRule() {
      return rule;
    }

    public void setRule(String newRule) {
      rule = newRule;
    }

    @Override
    public @Nullable String getRouteId() {
      return routeId;
    }

    @Override
    public void setRouteId(String newRouteId) {
      routeId = newRouteId;
    }
  }
}
