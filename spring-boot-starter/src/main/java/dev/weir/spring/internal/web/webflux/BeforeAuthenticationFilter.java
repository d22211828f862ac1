package dev.weir.spring.internal.web.webflux;

import dev.weir.spring.internal.web.WebLimits;
import org.springframework.boot.webflux.filter.OrderedWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** The first step: limits that do not use attributes of the user. Never blocks. */
public record BeforeAuthenticationFilter(WebLimits limits, int getOrder)
    implements OrderedWebFilter {
  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    ExchangeIncomingRequest request =
        new ExchangeIncomingRequest(exchange.getRequest(), limits.attributes(), null);
    return ExchangeAnswer.mono(limits.before().decide(request), exchange)
        .flatMap(answer -> ExchangeAnswer.apply(answer, exchange, chain.filter(exchange)));
  }
}
