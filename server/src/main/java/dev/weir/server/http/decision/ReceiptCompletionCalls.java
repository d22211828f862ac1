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

/** The calls that come after a check, with its receipt: release, renew, settle. */
public final class ReceiptCompletionCalls {
  /** Slots were lost: the caller no longer holds what it tries to renew. */
  private static final int LOST = 409;

  private final LimitService service;
  private final StoreCallRunner storeCalls;

  /**
   * @param storeCalls never shed: these calls free what others wait for
   */
  public ReceiptCompletionCalls(LimitService service, StoreCallRunner storeCalls) {
    this.service = service;
    this.storeCalls = storeCalls;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.POST, "/v1/release", this::release)
        .on(HttpMethod.POST, "/v1/renew", this::renew)
        .on(HttpMethod.POST, "/v1/settle", this::settle);
  }

  private void release(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_RECEIPT,
        body -> service.release(body.attributes(), body.requiredReceipt()),
        (answered, slots) -> answered.json(limits(slots)));
  }

  private void renew(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_RECEIPT,
        body -> service.renew(body.attributes(), body.requiredReceipt()),
        (answered, renewal) -> {
          JsonObject body = limits(renewal.slots()).put("renewed", renewal.renewed());
          answered.json(renewal.renewed() ? 200 : LOST, body);
        });
  }

  private void settle(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_RECEIPT,
        body -> service.settle(body.attributes(), body.permits(), body.requiredReceipt()),
        (answered, settled) -> answered.json(limits(settled)));
  }

  private static JsonObject limits(List<Claim> claims) {
    return new JsonObject().put("limits", ClaimsJson.of(claims));
  }
}
