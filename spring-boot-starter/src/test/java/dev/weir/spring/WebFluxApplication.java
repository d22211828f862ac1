package dev.weir.spring;

import java.time.Duration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.savedrequest.NoOpServerRequestCache;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

/** Spring WebFlux on Netty with Spring Security: one application for all tests. */
final class WebFluxApplication {
  private static RunningApplication application;

  private WebFluxApplication() {}

  static synchronized RunningApplication shared() {
    if (application == null) {
      application =
          RunningApplication.start(
              WebApplicationType.REACTIVE,
              WebFlux.class,
              "management.endpoints.web.exposure.include=weir");
    }
    return application;
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import(SharedBeans.class)
  static class WebFlux {
    @Bean
    NettyReactiveWebServerFactory server() {
      return new NettyReactiveWebServerFactory();
    }

    /**
     * Reactor Netty 1.3.7 can leave the next request on a connection unread when a response was
     * written on another thread (reactor-netty#4188), as the handlers behind these paths do, and
     * all handlers after a password was checked.
     */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter closeConnectionsOfLateAnswers() {
      return (exchange, chain) -> {
        String path = exchange.getRequest().getPath().value();
        boolean late = path.equals("/later") || path.startsWith("/call");
        if (late || exchange.getRequest().getHeaders().getFirst("Authorization") != null) {
          exchange.getResponse().getHeaders().set("Connection", "close");
        }
        return chain.filter(exchange);
      };
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          // without sessions, whose store answers on other threads
          .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
          .requestCache(cache -> cache.requestCache(NoOpServerRequestCache.getInstance()))
          .httpBasic(Customizer.withDefaults())
          .authorizeExchange(
              requests ->
                  requests.pathMatchers("/secret/**").authenticated().anyExchange().permitAll())
          .build();
    }

    @Bean
    MapReactiveUserDetailsService users() {
      return new MapReactiveUserDetailsService(
          User.withUsername("ann").password("{noop}a").build(),
          User.withUsername("bob").password("{noop}b").build());
    }

    @Bean
    Handlers handlers(HandledRequests requests, LimitedService service) {
      return new Handlers(requests, service);
    }
  }

  @RestController
  record Handlers(HandledRequests requests, LimitedService service) {
    @RequestMapping("/fails")
    Mono<String> fails() {
      requests.handled();
      return Mono.error(new IllegalStateException("as the contract asks"));
    }

    @RequestMapping("/later")
    Mono<String> later() {
      requests.handled();
      return Mono.delay(Duration.ofMillis(1)).map(tick -> "passed");
    }

    @RequestMapping("/hangs")
    Mono<String> hangs() {
      requests.handled();
      return Mono.never();
    }

    @RequestMapping("/call")
    Mono<String> call(@RequestParam String key) {
      return service.callReactive(key);
    }

    @RequestMapping("/call-later")
    Mono<String> callLater(@RequestParam String key) {
      return Mono.fromFuture(() -> service.callLater(key));
    }

    @RequestMapping("/**")
    Mono<String> passes() {
      requests.handled();
      return Mono.just("passed");
    }
  }
}
