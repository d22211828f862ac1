package dev.weir.spring.internal.web.webflux;

import dev.weir.spring.internal.web.WebLimits;
import org.springframework.boot.webflux.filter.OrderedWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** The second step: limits that use attributes of the user. Never blocks. */
public record AfterAuthenticationFilter(WebLimits limits, int getOrder)
    implements OrderedWebFilter {
  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    return limits.hasLimitsAfter()
        ? ExchangeAnswer.decideFurther(
            limits.after(), limits.attributes(), exchange, chain.filter(exchange))
        : chain.filter(exchange);
  }
}
