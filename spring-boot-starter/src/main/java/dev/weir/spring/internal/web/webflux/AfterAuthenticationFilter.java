package dev.weir.spring.internal.web.webflux;

import dev.weir.http.HttpAnswer;
import dev.weir.spring.internal.web.WebLimits;
import java.security.Principal;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.webflux.filter.OrderedWebFilter;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** The second step: limits that look at the user. Never blocks. */
public record AfterAuthenticationFilter(WebLimits limits, int getOrder)
    implements OrderedWebFilter {
  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (!limits.hasLimitsAfter()) {
      return chain.filter(exchange);
    }
    return exchange
        .getPrincipal()
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(found -> ExchangeAnswer.mono(decide(exchange, found.orElse(null)), exchange))
        .flatMap(answer -> ExchangeAnswer.apply(answer, exchange, chain.filter(exchange)));
  }

  private CompletionStage<HttpAnswer> decide(
      ServerWebExchange exchange, @Nullable Principal principal) {
    ExchangeIncomingRequest request =
        new ExchangeIncomingRequest(exchange.getRequest(), limits.attributes(), principal);
    HttpAnswer earlier = ExchangeAnswer.earlier(exchange);
    return earlier == null
        ? limits.after().decide(request)
        : limits.after().decideFurther(request, earlier);
  }
}
