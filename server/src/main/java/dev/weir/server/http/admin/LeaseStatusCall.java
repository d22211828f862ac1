package dev.weir.server.http.admin;

import dev.weir.LeaseStatus;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.function.Supplier;

/** Shows administrators what this instance has leased of hot keys. */
public final class LeaseStatusCall {
  private static final int MAX_HELD = 1000;

  private final Supplier<LeaseStatus> leases;
  private final AdminGate gate;

  public LeaseStatusCall(Supplier<LeaseStatus> leases, AdminGate gate) {
    this.leases = leases;
    this.gate = gate;
  }

  public void addTo(Router router) {
    router.on(HttpMethod.GET, "/v1/leases", this::show);
  }

  private void show(Exchange exchange) {
    if (gate.admits(exchange)) {
      exchange.json(json(leases.get()));
    }
  }

  private static JsonObject json(LeaseStatus status) {
    JsonArray held = new JsonArray();
    status.held().stream().limit(MAX_HELD).forEach(each -> held.add(json(each)));
    return new JsonObject()
        .put("calls", status.calls())
        .put("allowed", status.allowed())
        .put("denied", status.denied())
        .put("leased", status.leased())
        .put("returned", status.returned())
        .put("expired", status.expired())
        .put("heldKeys", status.held().size())
        .put("held", held);
  }

  private static JsonObject json(LeaseStatus.Held each) {
    return new JsonObject()
        .put("rule", each.policy().rule())
        .put("name", each.policy().name())
        .put("key", each.key())
        .put("unspent", each.unspent())
        .put("leftMillis", Math.max(0, each.left().toMillis()));
  }
}
