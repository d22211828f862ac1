package dev.weir.spring;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** Spring MVC on an embedded Tomcat with Spring Security: one application for all tests. */
final class MvcApplication {
  private static RunningApplication application;

  private MvcApplication() {}

  static synchronized RunningApplication shared() {
    if (application == null) {
      application =
          RunningApplication.start(
              WebApplicationType.SERVLET,
              Mvc.class,
              "management.endpoints.web.exposure.include=*",
              "management.endpoint.health.show-details=always",
              "management.endpoint.weir.access=unrestricted");
    }
    return application;
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(SharedBeans.class)
  static class Mvc {
    @Bean
    SecurityFilterChain security(HttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .httpBasic(Customizer.withDefaults())
          .authorizeHttpRequests(
              requests ->
                  requests.requestMatchers("/secret/**").authenticated().anyRequest().permitAll())
          .build();
    }

    @Bean
    InMemoryUserDetailsManager users() {
      return new InMemoryUserDetailsManager(
          User.withUsername("ann").password("{noop}a").build(),
          User.withUsername("bob").password("{noop}b").build());
    }

    @Bean
    Handlers handlers(HandledRequests requests, LimitedService service) {
      return new Handlers(requests, service);
    }
  }

  @Controller
  record Handlers(HandledRequests requests, LimitedService service) {
    @RequestMapping("/fails")
    void fails() {
      requests.handled();
      throw new IllegalStateException("as the contract asks");
    }

    @RequestMapping("/later")
    @ResponseBody
    CompletableFuture<String> later() {
      requests.handled();
      return CompletableFuture.supplyAsync(() -> "passed");
    }

    @RequestMapping("/forwards")
    String forwards() {
      return "forward:/inside";
    }

    @RequestMapping("/call")
    @ResponseBody
    String call(@RequestParam String key) {
      return service.call(key);
    }

    @RequestMapping("/call-later")
    @ResponseBody
    CompletableFuture<String> callLater(@RequestParam String key) {
      return service.callLater(key);
    }

    @RequestMapping("/**")
    @ResponseBody
    String passes() {
      requests.handled();
      return "passed";
    }
  }
}
