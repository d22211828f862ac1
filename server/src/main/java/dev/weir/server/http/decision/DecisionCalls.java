package dev.weir.server.http.decision;

import dev.weir.server.http.CheckRequestBody;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.LimitService;
import io.vertx.core.http.HttpMethod;

/** The calls that anybody may make: check, peek, charge. */
public final class DecisionCalls {
  private final LimitService service;
  private final StoreCallRunner storeCalls;
  private final DecisionResponse responses;

  public DecisionCalls(
      LimitService service, StoreCallRunner storeCalls, DecisionResponse responses) {
    this.service = service;
    this.storeCalls = storeCalls;
    this.responses = responses;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.POST, "/v1/check", this::check)
        .on(HttpMethod.POST, "/v1/peek", this::peek)
        .on(HttpMethod.POST, "/v1/charge", this::charge);
  }

  private void check(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.QUESTION,
        body -> service.check(body.attributes(), body.permits()),
        responses::decision);
  }

  private void peek(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.QUESTION,
        body -> service.peek(body.attributes(), body.permits()),
        responses::decision);
  }

  /** Always takes, so a limit never makes it fail; the answer shows the state. */
  private void charge(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.QUESTION,
        body -> service.charge(body.attributes(), body.permits()),
        responses::decision);
  }
}
