package dev.weir.spring.internal.web.webflux;

import dev.weir.http.HttpAnswer;
import dev.weir.spring.RateLimitedException;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers a request whose handler called a method that was denied, as a denied request. */
public final class DenialWebExceptionHandler implements WebExceptionHandler, Ordered {
  /** Before the handlers of Spring Boot, which turn every exception into an error page. */
  private static final int BEFORE_ERROR_PAGES = -2;

  @Override
  public int getOrder() {
    return BEFORE_ERROR_PAGES;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
    if (!(thrown instanceof RateLimitedException denial) || exchange.getResponse().isCommitted()) {
      return Mono.error(thrown);
    }
    HttpAnswer earlier = ExchangeAnswer.earlier(exchange);
    HttpAnswer answer = earlier == null ? denial.answer() : denial.answer().after(earlier);
    return ExchangeAnswer.apply(answer, exchange, Mono.empty());
  }
}
