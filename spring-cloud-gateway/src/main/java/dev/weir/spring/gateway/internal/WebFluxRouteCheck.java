package dev.weir.spring.gateway.internal;

import dev.weir.spring.gateway.WeirRateLimiter;
import dev.weir.spring.internal.rules.RulesByName;
import dev.weir.spring.internal.setting.InvalidSettingException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;

/**
 * Ends the start of an application if a filter in its properties names no rule, or has arguments
 * that cannot be used. The gateway itself would start, log the fault and answer nothing but errors.
 *
 * <p>A route from elsewhere is checked when the gateway makes it, and refused.
 */
record WebFluxRouteCheck(
    ObjectProvider<GatewayProperties> properties,
    ObjectProvider<RequestRateLimiterGatewayFilterFactory> ownFilter,
    ObjectProvider<WeirRateLimiter> limiter,
    RulesByName rules)
    implements SmartInitializingSingleton {
  @Override
  public void afterSingletonsInstantiated() {
    properties.ifAvailable(this::check);
  }

  private void check(GatewayProperties gateway) {
    check(
        gateway.getDefaultFilters(),
        RouteDefinitionRouteLocator.DEFAULT_FILTERS,
        GatewayProperties.PREFIX + ".default-filters");
    List<RouteDefinition> routes = gateway.getRoutes();
    for (int i = 0; i < routes.size(); i++) {
      RouteDefinition route = routes.get(i);
      check(
          route.getFilters(),
          String.valueOf(route.getId()),
          GatewayProperties.PREFIX + ".routes[" + i + "].filters");
    }
  }

  private void check(List<FilterDefinition> filters, String routeId, String property) {
    for (int i = 0; i < filters.size(); i++) {
      FilterDefinition filter = filters.get(i);
      String place = property + "[" + i + "]";
      switch (filter.getName()) {
        case "Weir" -> RuleArgument.check(filter.getArgs(), place, rules);
        case "RequestRateLimiter" -> checkOwnFilter(filter, routeId, place);
        default -> {} // not ours
      }
    }
  }

  /** The gateway's own filter, unless it is told to use another limiter than ours. */
  private void checkOwnFilter(FilterDefinition filter, String routeId, String place) {
    WeirRateLimiter ours = limiter.getIfUnique();
    RequestRateLimiterGatewayFilterFactory factory = ownFilter.getIfUnique();
    if (ours == null
        || factory == null
        || factory.getDefaultRateLimiter() != ours
        || filter.getArgs().containsKey("rate-limiter")) {
      return;
    }
    Map<String, Object> arguments = new HashMap<>(filter.getArgs());
    arguments.keySet().removeIf(name -> !name.contains("-rate-limiter."));
    if (arguments.values().stream().map(String::valueOf).anyMatch(RuleArgument::isExpression)) {
      return;
    }
    try {
      ours.onApplicationEvent(new FilterArgsEvent(this, routeId, arguments));
    } catch (InvalidSettingException refused) {
      throw new InvalidSettingException(
          place + " (" + refused.property() + ")", refused.value(), refused.expected());
    }
    if (!hasArguments(ours, routeId)) {
      throw new InvalidSettingException(
          place,
          filter.getName(),
          "must have the argument weir-rate-limiter.rule or redis-rate-limiter.replenishRate");
    }
  }

  private static boolean hasArguments(WeirRateLimiter limiter, String routeId) {
    return limiter.getConfig().containsKey(routeId)
        || limiter.getConfig().containsKey(RouteDefinitionRouteLocator.DEFAULT_FILTERS);
  }
}
