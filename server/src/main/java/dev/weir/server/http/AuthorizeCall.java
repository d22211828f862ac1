package dev.weir.server.http;

import dev.weir.http.ClientAddress;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.LogSafeText;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpMethod;
import java.util.OptionalInt;

/** Answers a proxy that asks before it forwards: nginx, Caddy, Traefik. */
final class AuthorizeCall {
  private final LimitService service;
  private final StoreCallRunner asking;
  private final DecisionResponse answering;
  private final ClientAddress clientAddress;

  AuthorizeCall(
      LimitService service,
      StoreCallRunner asking,
      DecisionResponse answering,
      ClientAddress clientAddress) {
    this.service = service;
    this.asking = asking;
    this.answering = answering;
    this.clientAddress = clientAddress;
  }

  void addTo(Router router) {
    router.on(HttpMethod.GET, "/v1/authorize", this::authorize);
  }

  private void authorize(Exchange exchange) {
    MultiMap query = Query.of(exchange.request());
    OptionalInt denyStatus = denyStatus(query.get("deny_status"));
    ForwardedRequest request = new ForwardedRequest(exchange.request(), query, clientAddress);
    asking.guarded(
        exchange,
        () -> service.check(request, 1),
        (answered, decision) -> answering.authorization(answered, decision, denyStatus));
  }

  private static OptionalInt denyStatus(String text) {
    if (text == null) {
      return OptionalInt.empty();
    }
    if (!text.matches("[45][0-9][0-9]")) {
      throw new BadRequestException(
          "deny_status must be between 400 and 599, was " + LogSafeText.text(text));
    }
    return OptionalInt.of(Integer.parseInt(text));
  }
}
