package dev.weir.server.http.decision;

import dev.weir.RequestId;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.http.CheckRequestBody;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.LimitService;
import io.vertx.core.http.HttpMethod;
import java.util.Optional;

/** The calls that anybody may make: check, peek, charge. */
public final class DecisionCalls {
  private static final String ID_FIELD = "Idempotency-Key";

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
    Optional<RequestId> field = idField(exchange);
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_ID,
        body ->
            id(body, field)
                .map(id -> service.check(body.attributes(), body.permits(), id))
                .orElseGet(() -> service.check(body.attributes(), body.permits())),
        responses::decision);
  }

  private static Optional<RequestId> id(CheckRequestBody body, Optional<RequestId> field) {
    Optional<RequestId> own = body.id();
    if (own.isPresent() && field.isPresent() && !own.equals(field)) {
      throw new BadRequestException("id and the field " + ID_FIELD + " must be the same");
    }
    return own.or(() -> field);
  }

  /** A quoted value is a String of structured fields; its quotes are no part of the id. */
  private static Optional<RequestId> idField(Exchange exchange) {
    String text = exchange.request().getHeader(ID_FIELD);
    if (text == null) {
      return Optional.empty();
    }
    boolean quoted = text.length() > 2 && text.startsWith("\"") && text.endsWith("\"");
    return Optional.of(CheckRequestBody.id(quoted ? text.substring(1, text.length() - 1) : text));
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
    if (exchange.request().headers().contains(ID_FIELD)) {
      throw new BadRequestException(
          "the field " + ID_FIELD + " is for /v1/check: a charge is taken each time");
    }
    storeCalls.ask(
        exchange,
        CheckRequestBody.QUESTION,
        body -> service.charge(body.attributes(), body.permits()),
        responses::decision);
  }
}
