package dev.weir.spring.internal.start;

import dev.weir.RateLimiter;
import dev.weir.servlet.WeirFilter;
import dev.weir.spring.RequestAttribute;
import dev.weir.spring.internal.rules.RulesByName;
import dev.weir.spring.internal.web.WebLimits;
import dev.weir.spring.internal.web.mvc.DenialExceptionResolver;
import dev.weir.spring.internal.web.mvc.ServletLimits;
import dev.weir.spring.internal.web.webflux.AfterAuthenticationFilter;
import dev.weir.spring.internal.web.webflux.BeforeAuthenticationFilter;
import dev.weir.spring.internal.web.webflux.DenialWebExceptionHandler;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webflux.filter.OrderedWebFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.support.DefaultHandlerExceptionResolver;

/**
 * HTTP requests, and the answers to denied calls of methods.
 *
 * <p>Requests are limited in two steps, one right before Spring Security's filters and one right
 * after them, whether Spring Security is there or not.
 */
@AutoConfiguration(after = WeirAutoConfiguration.class)
@ConditionalOnWebApplication
@ConditionalOnBooleanProperty(name = "weir.enabled", matchIfMissing = true)
class WeirWebAutoConfiguration {
  private static final int DISTANCE = 10;

  /** Where Spring Security's filters are; its own default if nothing is set. */
  private static int securityOrder(Environment environment) {
    return environment.getProperty("spring.security.filter.order", Integer.class, -100);
  }

  @Bean
  WebLimits weirWebLimits(
      WeirProperties properties,
      RulesByName rules,
      RateLimiter limiter,
      ObjectProvider<RequestAttribute> attributes) {
    return new WebLimits(
        rules,
        limiter,
        SettingChecks.clientAddress(properties.web()),
        SettingChecks.fields(properties.web()),
        attributes.orderedStream().toList());
  }

  /** Spring MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.SERVLET)
  @ConditionalOnClass(DispatcherServlet.class)
  static class Servlet {
    @Bean
    @ConditionalOnBooleanProperty(name = "weir.web.enabled", matchIfMissing = true)
    FilterRegistrationBean<WeirFilter> weirBeforeAuthentication(
        WebLimits limits, Environment environment) {
      return ServletLimits.before(limits, securityOrder(environment) - DISTANCE);
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "weir.web.enabled", matchIfMissing = true)
    FilterRegistrationBean<WeirFilter> weirAfterAuthentication(
        WebLimits limits, Environment environment) {
      return ServletLimits.after(limits, securityOrder(environment) + DISTANCE);
    }

    /** After the application's own handlers of exceptions, before Spring's own. */
    @Bean
    WebMvcConfigurer weirDenialAnswers() {
      return new WebMvcConfigurer() {
        @Override
        public void extendHandlerExceptionResolvers(List<HandlerExceptionResolver> resolvers) {
          int last = resolvers.size();
          for (int i = 0; i < resolvers.size(); i++) {
            if (resolvers.get(i) instanceof DefaultHandlerExceptionResolver) {
              last = i;
            }
          }
          resolvers.add(last, new DenialExceptionResolver());
        }
      };
    }
  }

  /** Spring WebFlux. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnWebApplication(type = Type.REACTIVE)
  @ConditionalOnClass({DispatcherHandler.class, OrderedWebFilter.class})
  static class Reactive {
    @Bean
    @ConditionalOnBooleanProperty(name = "weir.web.enabled", matchIfMissing = true)
    BeforeAuthenticationFilter weirBeforeAuthentication(WebLimits limits, Environment environment) {
      return new BeforeAuthenticationFilter(limits, securityOrder(environment) - DISTANCE);
    }

    @Bean
    @ConditionalOnBooleanProperty(name = "weir.web.enabled", matchIfMissing = true)
    AfterAuthenticationFilter weirAfterAuthentication(WebLimits limits, Environment environment) {
      return new AfterAuthenticationFilter(limits, securityOrder(environment) + DISTANCE);
    }

    @Bean
    DenialWebExceptionHandler weirDenialAnswers() {
      return new DenialWebExceptionHandler();
    }
  }
}
