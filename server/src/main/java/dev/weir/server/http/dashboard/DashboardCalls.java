package dev.weir.server.http.dashboard;

import dev.weir.server.dashboard.LiveView;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Query;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminGate;
import dev.weir.server.service.AuditTrail;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;

/**
 * The calls that the dashboard page makes. Live numbers need no more access than the metrics; keys
 * are masked unless an administrator asks. An open page polls once a second and receives only what
 * is new; a closed page costs nothing.
 */
public final class DashboardCalls {
  private final DashboardPage page;
  private final LiveView live;
  private final AuditTrail audit;
  private final StoreCallRunner storeCalls;
  private final BlockingTaskPool work;
  private final AdminGate gate;

  public DashboardCalls(
      DashboardPage page,
      LiveView live,
      AuditTrail audit,
      StoreCallRunner storeCalls,
      BlockingTaskPool work,
      AdminGate gate) {
    this.page = page;
    this.live = live;
    this.audit = audit;
    this.storeCalls = storeCalls;
    this.work = work;
    this.gate = gate;
  }

  public void addTo(Router router) {
    page.addFilesTo(router);
    router
        .on(HttpMethod.GET, "/dashboard/live", this::live)
        .on(HttpMethod.GET, "/dashboard/day", this::day)
        .on(HttpMethod.GET, "/dashboard/audit", this::audit);
  }

  private void live(Exchange exchange) {
    String after = Query.of(exchange.request()).get("after");
    if (after != null && !after.matches("[0-9]{1,15}")) {
      throw new BadRequestException("after must be a time in seconds since 1970");
    }
    long second = after == null ? 0 : Long.parseLong(after);
    AdminGate.Viewer viewer = gate.viewer(exchange);
    storeCalls.guarded(
        exchange,
        () ->
            work.run(
                () ->
                    live.json(second, viewer == AdminGate.Viewer.ADMINISTRATOR)
                        .put("actions", audit.count())
                        .put("access", viewer.name())),
        DashboardCalls::fresh);
  }

  private void day(Exchange exchange) {
    storeCalls.guarded(exchange, () -> work.run(live::minutes), DashboardCalls::fresh);
  }

  private void audit(Exchange exchange) {
    if (gate.admits(exchange)) {
      JsonArray entries = new JsonArray();
      audit.latest().forEach(entry -> entries.add(json(entry)));
      fresh(exchange, new JsonObject().put("entries", entries));
    }
  }

  private static JsonObject json(AuditTrail.AuditEntry entry) {
    return new JsonObject()
        .put("atMillis", entry.atMillis())
        .put("from", entry.from())
        .put("action", entry.action())
        .put("keys", entry.keys());
  }

  private static void fresh(Exchange exchange, JsonObject json) {
    exchange.response().putHeader("Cache-Control", "no-store");
    exchange.json(json);
  }
}
