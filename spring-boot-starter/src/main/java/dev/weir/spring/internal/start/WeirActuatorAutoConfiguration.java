package dev.weir.spring.internal.start;

import dev.weir.RateLimiter;
import dev.weir.StoreStatus;
import dev.weir.micrometer.WeirMetrics;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.RuleStatus;
import dev.weir.spi.LimitStore;
import dev.weir.spring.internal.actuate.WeirEndpoint;
import dev.weir.spring.internal.actuate.WeirHealthIndicator;
import dev.weir.spring.internal.rules.RulesByName;
import dev.weir.spring.internal.store.StoreDecorator;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Actuator: endpoint, health and metrics, as far as the application has them. */
@AutoConfiguration(
    after = WeirAutoConfiguration.class,
    afterName =
        "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBooleanProperty(name = "weir.enabled", matchIfMissing = true)
class WeirActuatorAutoConfiguration {
  private static String storeName(ObjectProvider<StoreAddress> address, LimitStore store) {
    return address.stream()
        .findFirst()
        .map(StoreAddress::toString)
        .orElseGet(() -> store.getClass().getSimpleName());
  }

  /** The endpoint {@code weir}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
  static class EndpointConfiguration {
    @Bean
    @ConditionalOnAvailableEndpoint(endpoint = WeirEndpoint.class)
    WeirEndpoint weirEndpoint(
        RulesByName rules,
        RateLimiter limiter,
        WeirProperties properties,
        RuleStatus status,
        ObjectProvider<StoreAddress> address,
        LimitStore store) {
      return new WeirEndpoint(
          rules,
          limiter,
          SettingChecks.clientAddress(properties.web()),
          status,
          storeName(address, store));
    }
  }

  /** The health contributor {@code weir}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
  static class HealthConfiguration {
    @Bean
    @ConditionalOnEnabledHealthIndicator("weir")
    @ConditionalOnMissingBean(name = "weirHealthIndicator")
    WeirHealthIndicator weirHealthIndicator(
        StoreStatus storeStatus,
        RuleStatus ruleStatus,
        ObjectProvider<StoreAddress> address,
        LimitStore store) {
      return new WeirHealthIndicator(
          storeName(address, store), store::warnings, storeStatus, ruleStatus);
    }
  }

  /** Metrics named {@code weir.…}. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterRegistry.class)
  @ConditionalOnBean(MeterRegistry.class)
  static class MetricsConfiguration {
    @Bean
    @ConditionalOnMissingBean
    WeirMetrics weirMetrics(MeterRegistry registry) {
      return new WeirMetrics(registry);
    }

    @Bean
    StoreDecorator weirStoreTiming(WeirMetrics metrics) {
      return metrics::timed;
    }
  }
}
