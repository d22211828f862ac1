package dev.weir.spring.gateway.internal;

import dev.weir.RateLimiter;
import dev.weir.spring.gateway.WeirFilterFunctions;
import dev.weir.spring.gateway.WeirGatewayFilterFactory;
import dev.weir.spring.gateway.WeirRateLimiter;
import dev.weir.spring.internal.rules.RulesByName;
import dev.weir.spring.internal.web.WebLimits;
import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.factory.RequestRateLimiterGatewayFilterFactory;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.cloud.gateway.server.mvc.filter.SimpleFilterSupplier;
import org.springframework.cloud.gateway.support.ConfigurationService;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.Ordered;

/** The filters of the gateway, for the server that the application has. */
@AutoConfiguration(
    afterName = "dev.weir.spring.internal.start.WeirWebAutoConfiguration",
    beforeName = "org.springframework.cloud.gateway.config.GatewayAutoConfiguration")
@ConditionalOnBooleanProperty(name = "weir.enabled", matchIfMissing = true)
class WeirGatewayAutoConfiguration {
  /** On WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(GatewayFilter.class)
  @ConditionalOnWebApplication(type = Type.REACTIVE)
  static class WebFlux {
    @Bean
    @ConditionalOnMissingBean
    WeirGatewayFilterFactory weirGatewayFilterFactory(WebLimits limits) {
      return new WeirGatewayFilterFactory(limits);
    }

    /** Primary: the gateway has a limiter of its own if the application has Redis. */
    @Bean
    @Primary
    @ConditionalOnMissingBean
    WeirRateLimiter weirGatewayRateLimiter(
        RulesByName rules,
        RateLimiter limiter,
        WebLimits limits,
        ConfigurationService configuration) {
      return new WeirRateLimiter(rules, limiter, limits.fields(), configuration);
    }

    @Bean
    WebFluxRouteCheck weirRouteCheck(
        ObjectProvider<GatewayProperties> properties,
        ObjectProvider<RequestRateLimiterGatewayFilterFactory> ownFilter,
        ObjectProvider<WeirRateLimiter> limiter,
        RulesByName rules) {
      return new WebFluxRouteCheck(properties, ownFilter, limiter, rules);
    }
  }

  /** On WebMVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(FilterSupplier.class)
  @ConditionalOnWebApplication(type = Type.SERVLET)
  static class WebMvc {
    /** Around everything, so that the response has been written when it returns. */
    @Bean
    FilterRegistrationBean<RouteSlotsFilter> weirRouteSlots() {
      FilterRegistrationBean<RouteSlotsFilter> registration =
          new FilterRegistrationBean<>(new RouteSlotsFilter());
      registration.setName("weirRouteSlots");
      registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
      registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
      return registration;
    }

    @Bean
    FilterSupplier weirFilterSupplier() {
      return new SimpleFilterSupplier(WeirFilterFunctions.class);
    }

    @Bean
    WebMvcRouteCheck weirRouteCheck(
        ObjectProvider<GatewayMvcProperties> properties, RulesByName rules) {
      return new WebMvcRouteCheck(properties, rules);
    }
  }
}
