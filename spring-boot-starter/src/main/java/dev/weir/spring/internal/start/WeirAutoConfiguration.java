package dev.weir.spring.internal.start;

import dev.weir.DecisionListener;
import dev.weir.GuardListener;
import dev.weir.RateLimiter;
import dev.weir.StoreStatus;
import dev.weir.redis.StoreAddress;
import dev.weir.rules.LiveRules;
import dev.weir.rules.RuleListener;
import dev.weir.rules.RuleStatus;
import dev.weir.spi.LimitStore;
import dev.weir.spring.internal.rules.ConfiguredRules;
import dev.weir.spring.internal.rules.RulesByName;
import dev.weir.spring.internal.store.ConfiguredStore;
import dev.weir.spring.internal.store.PropertyRedisConnection;
import dev.weir.spring.internal.store.RedisConnectionSource;
import dev.weir.spring.internal.store.StoreDecorator;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Rules, store and limiter. Each is replaced by a bean of the application of the same type. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "weir.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WeirProperties.class)
class WeirAutoConfiguration {
  @Bean
  @ConditionalOnMissingBean(LiveRules.class)
  ConfiguredRules weirConfiguredRules(WeirProperties properties, Environment environment) {
    SettingChecks.positive("weir.reload-interval", properties.reloadInterval());
    return ConfiguredRules.of(environment, properties.rulesFile(), properties.reloadInterval());
  }

  @Bean
  @ConditionalOnMissingBean
  LiveRules weirRules(ConfiguredRules configured) {
    return configured.rules();
  }

  @Bean
  @ConditionalOnMissingBean
  RuleStatus weirRuleStatus(LiveRules rules, ObjectProvider<ConfiguredRules> configured) {
    String source = configured.stream().map(ConfiguredRules::source).findFirst().orElse("a bean");
    return new RuleStatus(rules.get(), () -> source);
  }

  /** Beans that listen to the rules, the status among them. */
  @Bean
  SmartInitializingSingleton weirRuleListeners(
      LiveRules rules, ObjectProvider<RuleListener> listeners) {
    return () -> listeners.orderedStream().forEach(rules::listen);
  }

  @Bean
  RulesByName weirRulesByName(LiveRules rules) {
    return new RulesByName(rules);
  }

  @Bean
  @ConditionalOnMissingBean
  StoreStatus weirStoreStatus() {
    return new StoreStatus();
  }

  @Bean
  @ConditionalOnMissingBean
  RedisConnectionSource weirRedisConnectionSource(Environment environment) {
    return new PropertyRedisConnection(environment);
  }

  @Bean
  @ConditionalOnMissingBean(LimitStore.class)
  StoreAddress weirStoreAddress(WeirProperties properties, RedisConnectionSource application) {
    String wanted = properties.store();
    return ConfiguredStore.address(wanted == null ? "" : wanted, application);
  }

  @Bean
  @ConditionalOnMissingBean
  LimitStore weirStore(
      WeirProperties properties,
      Environment environment,
      StoreAddress address,
      ObjectProvider<StoreDecorator> decorators,
      ObjectProvider<GuardListener> listeners) {
    StoreDecorator decorator = decorators.getIfUnique(() -> store -> store);
    return SettingChecks.store(properties, environment)
        .open(address, decorator, GuardListener.all(listeners.orderedStream().toList()));
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimiter weirRateLimiter(LimitStore store, ObjectProvider<DecisionListener> listeners) {
    return RateLimiter.forClaims(store, DecisionListener.all(listeners.orderedStream().toList()));
  }
}
