package dev.weir.spring.internal.start;

import dev.weir.spring.internal.store.ConnectionDetailsRedisConnection;
import dev.weir.spring.internal.store.PropertyRedisConnection;
import dev.weir.spring.internal.store.RedisConnectionSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The Redis of an application with Spring Data Redis, which may come from a bean. */
@AutoConfiguration(
    before = WeirAutoConfiguration.class,
    afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(DataRedisConnectionDetails.class)
class WeirRedisAutoConfiguration {
  /** What Spring Boot makes of the properties, with localhost as the default. */
  private static final String OF_PROPERTIES = "PropertiesDataRedisConnectionDetails";

  @Bean
  @ConditionalOnBean(DataRedisConnectionDetails.class)
  @ConditionalOnMissingBean
  RedisConnectionSource weirRedisConnectionSource(
      DataRedisConnectionDetails details,
      Environment environment,
      ObjectProvider<SslBundles> bundles) {
    return details.getClass().getSimpleName().equals(OF_PROPERTIES)
        ? new PropertyRedisConnection(environment, bundles::getObject)
        : new ConnectionDetailsRedisConnection(details);
  }
}
