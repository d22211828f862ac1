package dev.weir.server.http.envoy;

import dev.weir.server.envoy.AnswerDetails;
import dev.weir.server.envoy.DescriptorService;
import dev.weir.server.envoy.InvalidCallException;
import dev.weir.server.envoy.RateLimitAnswer;
import dev.weir.server.envoy.RateLimitCall;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminGate;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.util.concurrent.CompletionStage;

/**
 * Envoy's protocol for clients that do not speak gRPC: 200 if allowed, 429 if over the limit.
 *
 * <p>Anybody may ask here, so only administrators may give permits back, as with a refund.
 */
public final class RateLimitJsonCall {
  private final DescriptorService service;
  private final AnswerDetails details;
  private final StoreCallRunner storeCalls;
  private final AdminGate gate;
  private final int mostBytes;

  public RateLimitJsonCall(
      DescriptorService service,
      AnswerDetails details,
      StoreCallRunner storeCalls,
      AdminGate gate,
      int mostBytes) {
    this.service = service;
    this.details = details;
    this.storeCalls = storeCalls;
    this.gate = gate;
    this.mostBytes = mostBytes;
  }

  public void addTo(Router router) {
    router.on(HttpMethod.POST, "/json", this::ask);
  }

  private void ask(Exchange exchange) {
    storeCalls.body(exchange, mostBytes, body -> ask(exchange, body));
  }

  private void ask(Exchange exchange, Buffer body) {
    storeCalls.guarded(exchange, () -> decide(exchange, body), this::write);
  }

  /** A call and what is answered to it. */
  private record AnsweredCall(RateLimitCall call, RateLimitAnswer answer) {}

  private CompletionStage<AnsweredCall> decide(Exchange exchange, Buffer body) {
    RateLimitCall call = RateLimitJsonReader.read(body.getBytes());
    if (call.givesBack() && !gate.knows(exchange)) {
      throw new BadRequestException(
          403, "isNegativeHits gives permits back: that needs the admin token as a bearer token");
    }
    try {
      return service.decide(call).thenApply(answer -> new AnsweredCall(call, answer));
    } catch (InvalidCallException invalid) {
      throw new BadRequestException(invalid.getMessage());
    }
  }

  private void write(Exchange exchange, AnsweredCall answered) {
    String json = new RateLimitJsonWriter(details).write(answered.call, answered.answer);
    exchange.answer(answered.answer.overLimit() ? 429 : 200, Exchange.JSON, json);
  }
}
