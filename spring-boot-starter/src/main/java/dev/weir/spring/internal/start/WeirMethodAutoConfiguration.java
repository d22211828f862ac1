package dev.weir.spring.internal.start;

import dev.weir.RateLimiter;
import dev.weir.spring.internal.method.CallDecider;
import dev.weir.spring.internal.method.RateLimitedPostProcessor;
import dev.weir.spring.internal.rules.RulesByName;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** {@code @RateLimited}. */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnBooleanProperty(
    name = {"weir.enabled", "weir.method.enabled"},
    matchIfMissing = true)
class WeirMethodAutoConfiguration {
  /** What Spring Boot calls the pool for asynchronous work of the application. */
  private static final String APPLICATION_EXECUTOR = "applicationTaskExecutor";

  @Bean
  CallDecider weirCallDecider(
      RulesByName rules, RateLimiter limiter, WeirProperties properties, BeanFactory beans) {
    return new CallDecider(
        rules,
        limiter,
        SettingChecks.fields(properties.web()),
        SettingChecks.clientAddress(properties.web()),
        beans);
  }

  /** Static and lazy, so that no other bean is created before post-processors are ready. */
  @Bean
  static RateLimitedPostProcessor weirRateLimitedPostProcessor(
      ObjectProvider<CallDecider> decider, BeanFactory beans, Environment environment) {
    Supplier<Executor> executor =
        () ->
            beans.containsBean(APPLICATION_EXECUTOR)
                ? beans.getBean(APPLICATION_EXECUTOR, Executor.class)
                : ForkJoinPool.commonPool();
    RateLimitedPostProcessor processor =
        new RateLimitedPostProcessor(
            decider::getObject, executor, environment::resolveRequiredPlaceholders);
    processor.setProxyTargetClass(
        environment.getProperty("spring.aop.proxy-target-class", Boolean.class, true));
    return processor;
  }
}
