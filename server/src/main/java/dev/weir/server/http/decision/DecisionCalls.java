package dev.weir.server.http.decision;

import dev.weir.http.DecisionJson;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.LimitService.Explained;
import io.vertx.core.http.HttpMethod;

/** The calls that anybody may make: check, peek, charge, explain. */
public final class DecisionCalls {
  private static final int USUAL_LENGTH = 512;

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
        .on(HttpMethod.POST, "/v1/charge", this::charge)
        .on(HttpMethod.POST, "/v1/explain", this::explain);
  }

  private void check(Exchange exchange) {
    storeCalls.ask(
        exchange, ask -> service.check(ask.attributes(), ask.permits()), responses::decision);
  }

  private void peek(Exchange exchange) {
    storeCalls.ask(
        exchange, ask -> service.peek(ask.attributes(), ask.permits()), responses::decision);
  }

  /** Takes always, so that it never fails for a limit; the state is in the answer. */
  private void charge(Exchange exchange) {
    storeCalls.ask(
        exchange, ask -> service.charge(ask.attributes(), ask.permits()), responses::decision);
  }

  private void explain(Exchange exchange) {
    storeCalls.ask(
        exchange,
        ask -> service.explain(ask.attributes(), ask.permits()),
        DecisionCalls::explanation);
  }

  /** Explaining is no attempt: it succeeds whatever the decision is. */
  private static void explanation(Exchange exchange, Explained explained) {
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    DecisionJson.write(explained.decision(), out);
    out.setLength(out.length() - 1);
    out.append(",\"rules\":").append(explained.explanation().rulesAsJson()).append("}\n");
    exchange.answer(200, Exchange.JSON, out.toString());
  }
}
