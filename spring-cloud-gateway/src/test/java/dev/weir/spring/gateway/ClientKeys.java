package dev.weir.spring.gateway;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.cloud.gateway.filter.ratelimit.KeyResolver;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** What the gateway's own filter needs on WebFlux: the key is the field {@code X-Client}. */
@Configuration(proxyBeanMethods = false)
class ClientKeys {
  /** Both kinds of web server are on the class path of the tests. */
  @Bean
  NettyReactiveWebServerFactory server() {
    return new NettyReactiveWebServerFactory();
  }

  @Bean
  KeyResolver clients() {
    return exchange -> Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Client"));
  }
}
