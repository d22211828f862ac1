package dev.weir.spring.internal.web.webflux;

import dev.weir.http.HttpAnswer;
import dev.weir.http.HttpLimiter;
import dev.weir.spring.RequestAttribute;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Waits for the answer to an exchange of WebFlux, and writes it. */
public final class ExchangeAnswer {
  private static final String ANSWER = "dev.weir.answer";

  private ExchangeAnswer() {}

  /**
   * An answer as a Mono. If the store answers later, the request continues on its own event loop
   * ({@link RequestScheduler}), because it must not occupy a thread of the store.
   */
  static Mono<HttpAnswer> mono(CompletionStage<HttpAnswer> answer, ServerWebExchange exchange) {
    CompletableFuture<HttpAnswer> decided = answer.toCompletableFuture();
    Mono<HttpAnswer> result =
        Mono.fromFuture(decided, true)
            .doOnCancel(() -> decided.thenAccept(HttpAnswer::release)); // nobody else would
    return decided.isDone() ? result : result.publishOn(RequestScheduler.of(exchange.getRequest()));
  }

  /** The answer of an earlier step; null if there was none. */
  static @Nullable HttpAnswer earlier(ServerWebExchange exchange) {
    return exchange.getAttribute(ANSWER);
  }

  /**
   * Decides about a request whose user is known now, by the limits that an earlier step has not
   * asked; then continues if the request may pass, else writes the whole answer.
   */
  public static Mono<Void> decideFurther(
      HttpLimiter limiter,
      List<RequestAttribute> attributes,
      ServerWebExchange exchange,
      Mono<Void> goingOn) {
    return exchange
        .getPrincipal()
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(user -> mono(further(limiter, attributes, exchange, user.orElse(null)), exchange))
        .flatMap(answer -> apply(answer, exchange, goingOn));
  }

  private static CompletionStage<HttpAnswer> further(
      HttpLimiter limiter,
      List<RequestAttribute> attributes,
      ServerWebExchange exchange,
      @Nullable Principal user) {
    ExchangeIncomingRequest request =
        new ExchangeIncomingRequest(exchange.getRequest(), attributes, user);
    HttpAnswer earlier = earlier(exchange);
    return earlier == null ? limiter.decide(request) : limiter.decideFurther(request, earlier);
  }

  /** Sets the fields; then continues if the request may pass, else writes the whole answer. */
  static Mono<Void> apply(HttpAnswer answer, ServerWebExchange exchange, Mono<Void> goingOn) {
    exchange.getAttributes().put(ANSWER, answer);
    HttpHeaders fields = exchange.getResponse().getHeaders();
    answer.fields().forEach(fields::set);
    if (answer.expectsResponse()) {
      reportResponse(answer, exchange.getResponse());
    }
    return answer.allowed()
        ? answer.holdsSlots() ? goingOn.doFinally(ended -> answer.release()) : goingOn
        : RequestScheduler.onEventLoop(
            exchange.getRequest(), Mono.defer(() -> write(answer, exchange)));
  }

  /** The response does not wait for the store. */
  private static void reportResponse(HttpAnswer answer, ServerHttpResponse response) {
    response.beforeCommit(
        () -> {
          HttpStatusCode status = response.getStatusCode();
          answer.responded(status == null ? 200 : status.value());
          return Mono.empty();
        });
  }

  private static Mono<Void> write(HttpAnswer answer, ServerWebExchange exchange) {
    ServerHttpResponse response = exchange.getResponse();
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    response.setStatusCode(HttpStatusCode.valueOf(answer.status()));
    response.getHeaders().set(HttpHeaders.CONTENT_TYPE, answer.contentType());
    if (exchange.getRequest().getMethod() == HttpMethod.HEAD) {
      return response.setComplete();
    }
    response.getHeaders().setContentLength(body.length);
    DataBuffer buffer = response.bufferFactory().wrap(body);
    return response.writeWith(Mono.just(buffer));
  }
}
