package dev.weir.spring.internal.web.webflux;

import dev.weir.http.HttpAnswer;
import dev.weir.spring.internal.web.DenialAnswer;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers a request whose handler called a method that was denied, or that could not be decided, as
 * a limited request is answered.
 */
public final class DenialWebExceptionHandler implements WebExceptionHandler, Ordered {
  /** Before the handlers of Spring Boot, which turn every exception into an error page. */
  private static final int BEFORE_ERROR_PAGES = -2;

  @Override
  public int getOrder() {
    return BEFORE_ERROR_PAGES;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
    HttpAnswer answer = DenialAnswer.of(thrown);
    if (answer == null || exchange.getResponse().isCommitted()) {
      return Mono.error(thrown);
    }
    HttpAnswer earlier = ExchangeAnswer.earlier(exchange);
    return ExchangeAnswer.apply(
        earlier == null ? answer : answer.after(earlier), exchange, Mono.empty());
  }
}
