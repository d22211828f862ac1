package dev.weir.server.http;

import dev.weir.http.DecisionJson;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.LimitService.Explained;
import io.vertx.core.http.HttpMethod;

/** The calls that anybody may make: check, peek, charge, explain. */
final class DecisionCalls {
  private static final int USUAL_LENGTH = 512;

  private final LimitService service;
  private final StoreCallRunner asking;
  private final DecisionResponse answering;

  DecisionCalls(LimitService service, StoreCallRunner asking, DecisionResponse answering) {
    this.service = service;
    this.asking = asking;
    this.answering = answering;
  }

  void addTo(Router router) {
    router
        .on(HttpMethod.POST, "/v1/check", this::check)
        .on(HttpMethod.POST, "/v1/peek", this::peek)
        .on(HttpMethod.POST, "/v1/charge", this::charge)
        .on(HttpMethod.POST, "/v1/explain", this::explain);
  }

  private void check(Exchange exchange) {
    asking.ask(
        exchange, ask -> service.check(ask.attributes(), ask.permits()), answering::decision);
  }

  private void peek(Exchange exchange) {
    asking.ask(exchange, ask -> service.peek(ask.attributes(), ask.permits()), answering::decision);
  }

  /** Takes always, so that it never fails for a limit; the state is in the answer. */
  private void charge(Exchange exchange) {
    asking.ask(
        exchange, ask -> service.charge(ask.attributes(), ask.permits()), answering::decision);
  }

  private void explain(Exchange exchange) {
    asking.ask(
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
