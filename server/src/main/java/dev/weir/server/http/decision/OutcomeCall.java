package dev.weir.server.http.decision;

import dev.weir.Claim;
import dev.weir.server.http.CheckRequestBody;
import dev.weir.server.http.ClaimsJson;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.LimitService;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonObject;
import java.util.List;

/**
 * Takes the status with which an application responded to a request that was allowed; the answer
 * names the limits that gave permits back. Whoever may check may call this.
 */
public final class OutcomeCall {
  private final LimitService service;
  private final StoreCallRunner storeCalls;

  public OutcomeCall(LimitService service, StoreCallRunner storeCalls) {
    this.service = service;
    this.storeCalls = storeCalls;
  }

  public void addTo(Router router) {
    router.on(HttpMethod.POST, "/v1/outcome", this::outcome);
  }

  private void outcome(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_RECEIPT_AND_STATUS,
        body -> service.responded(body.attributes(), body.permits(), body.receipt(), body.status()),
        OutcomeCall::answer);
  }

  private static void answer(Exchange exchange, List<Claim> givenBack) {
    exchange.json(new JsonObject().put("givenBack", ClaimsJson.of(givenBack)));
  }
}
