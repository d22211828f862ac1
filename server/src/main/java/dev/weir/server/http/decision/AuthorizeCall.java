package dev.weir.server.http.decision;

import dev.weir.http.ClientAddress;
import dev.weir.internal.text.PrintableText;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Query;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.LimitService;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.util.OptionalInt;

/** Decides for a proxy whether it may forward a request: nginx, Caddy, Traefik. */
public final class AuthorizeCall {
  private final LimitService service;
  private final StoreCallRunner storeCalls;
  private final DecisionResponse responses;
  private final ClientAddress clientAddress;

  public AuthorizeCall(
      LimitService service,
      StoreCallRunner storeCalls,
      DecisionResponse responses,
      ClientAddress clientAddress) {
    this.service = service;
    this.storeCalls = storeCalls;
    this.responses = responses;
    this.clientAddress = clientAddress;
  }

  public void addTo(Router router) {
    router.on(HttpMethod.GET, "/v1/authorize", this::authorize);
  }

  private void authorize(Exchange exchange) {
    MultiMap query = Query.of(exchange.request());
    OptionalInt denyStatus = denyStatus(query.get("deny_status"));
    ForwardedRequest request = new ForwardedRequest(exchange.request(), query, clientAddress);
    storeCalls.guarded(
        exchange,
        () -> service.check(request, 1),
        (answered, decision) -> responses.authorization(answered, decision, denyStatus));
  }

  private static OptionalInt denyStatus(String text) {
    if (text == null) {
      return OptionalInt.empty();
    }
    if (!text.matches("[45][0-9][0-9]")) {
      throw new BadRequestException(
          "deny_status must be between 400 and 599, was " + PrintableText.quoted(text));
    }
    return OptionalInt.of(Integer.parseInt(text));
  }
}
