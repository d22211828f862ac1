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
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
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
  RedisConnectionSource weirRedisConnectionSource(
      Environment environment, ObjectProvider<SslBundles> bundles) {
    return new PropertyRedisConnection(environment, bundles::getObject);
  }

  @Bean
  @ConditionalOnMissingBean(LimitStore.class)
  StoreAddress weirStoreAddress(WeirProperties properties, RedisConnectionSource application) {
    StoreAddress address = ConfiguredStore.address(wanted(properties), application);
    SettingChecks.tls(properties.redis(), address);
    return address;
  }

  private static String wanted(WeirProperties properties) {
    String wanted = properties.store();
    return wanted == null ? "" : wanted;
  }

  @Bean
  @ConditionalOnMissingBean
  LimitStore weirStore(
      WeirProperties properties,
      Environment environment,
      StoreAddress address,
      RedisConnectionSource application,
      ObjectProvider<SslBundles> bundles,
      ObjectProvider<StoreDecorator> decorators,
      ObjectProvider<GuardListener> listeners) {
    String bundle = properties.redis().sslBundle();
    Optional<Supplier<SslBundle>> own =
        Optional.ofNullable(bundle).map(name -> () -> bundles.getObject().getBundle(name));
    boolean shared = ConfiguredStore.isOfApplication(wanted(properties));
    return SettingChecks.store(properties, environment)
        .open(
            address,
            shared ? own.or(application::sslBundle) : own,
            decorators.getIfUnique(() -> store -> store),
            GuardListener.all(listeners.orderedStream().toList()));
  }

  @Bean
  @ConditionalOnMissingBean
  RateLimiter weirRateLimiter(LimitStore store, ObjectProvider<DecisionListener> listeners) {
    return RateLimiter.forClaims(store, DecisionListener.all(listeners.orderedStream().toList()));
  }
}
