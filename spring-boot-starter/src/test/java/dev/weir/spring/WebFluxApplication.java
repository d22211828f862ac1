package dev.weir.spring;

import java.time.Duration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
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
     * written on another thread, as the handlers behind these paths do (reactor-netty#4188).
     */
    @Bean
    WebFilter closeConnectionsOfLateAnswers() {
      return (exchange, chain) -> {
        String path = exchange.getRequest().getPath().value();
        if (path.equals("/later") || path.startsWith("/call")) {
          exchange.getResponse().getHeaders().set("Connection", "close");
        }
        return chain.filter(exchange);
      };
    }

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
      return http.csrf(csrf -> csrf.disable())
          .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
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
