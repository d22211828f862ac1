package dev.weir.spring.gateway.internal;

import dev.weir.spring.internal.rules.RulesByName;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.cloud.gateway.server.mvc.config.FilterProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;

/**
 * Ends the start of an application if a filter {@code weir} in its properties names no rule.
 *
 * <p>A route made in Java, or later, is not seen here; requests to it fail with the same message.
 */
record WebMvcRouteCheck(ObjectProvider<GatewayMvcProperties> properties, RulesByName rules)
    implements SmartInitializingSingleton {
  @Override
  public void afterSingletonsInstantiated() {
    properties.ifAvailable(this::check);
  }

  private void check(GatewayMvcProperties gateway) {
    List<RouteProperties> routes = gateway.getRoutes();
    for (int i = 0; i < routes.size(); i++) {
      check(routes.get(i), GatewayMvcProperties.PREFIX + ".routes[" + i + "]");
    }
    gateway
        .getRoutesMap()
        .forEach((id, route) -> check(route, GatewayMvcProperties.PREFIX + ".routes-map." + id));
  }

  private void check(RouteProperties route, String property) {
    List<FilterProperties> filters = route.getFilters();
    for (int i = 0; i < filters.size(); i++) {
      FilterProperties filter = filters.get(i);
      if (filter.getName().equals("weir") || filter.getName().equals("Weir")) {
        RuleArgument.check(filter.getArgs(), property + ".filters[" + i + "]", rules);
      }
    }
  }
}
