package dev.weir.server.http.probe;

import dev.weir.server.http.Exchange;
import dev.weir.server.http.InFlight;
import dev.weir.server.http.Router;
import dev.weir.server.service.AdminOverrides;
import dev.weir.server.service.Health;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;

/** What balancers and supervisors look at: whether the service is alive and ready. */
public final class ProbeCalls {
  private static final String TEXT = "text/plain; charset=utf-8";

  private final Health health;
  private final AdminOverrides switches;
  private final InFlight inFlight;

  public ProbeCalls(Health health, AdminOverrides switches, InFlight inFlight) {
    this.health = health;
    this.switches = switches;
    this.inFlight = inFlight;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.GET, "/healthz", exchange -> exchange.json(state()))
        .on(HttpMethod.GET, "/readyz", this::ready)
        .on(HttpMethod.GET, "/healthcheck", this::healthcheck)
        .on(HttpMethod.GET, "/", exchange -> exchange.answer(200, TEXT, CallOverview.TEXT));
  }

  private void ready(Exchange exchange) {
    exchange.json(health.ready() ? 200 : 503, state());
  }

  /** As Envoy's users probe a rate-limit service. */
  private void healthcheck(Exchange exchange) {
    boolean ready = health.ready();
    exchange.answer(ready ? 200 : 503, TEXT, ready ? "OK\n" : "draining\n");
  }

  private JsonObject state() {
    return new JsonObject()
        .put("status", status())
        .put("store", health.store())
        .put("silentNodes", new JsonArray(health.guards().silentNodes()))
        .put("fallback", health.guards().fallback())
        .put("killSwitch", switches.killed())
        .put("rulesVersion", health.ruleVersion())
        .put("refusedRules", health.refusedRules().orElse(null))
        .put("warnings", new JsonArray(health.warnings()))
        .put("inFlight", inFlight.now())
        .put("uptimeSeconds", ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
  }

  private String status() {
    if (!health.ready()) {
      return "draining";
    }
    boolean well =
        health.guards().silentNodes().isEmpty()
            && !health.guards().fallback()
            && !switches.killed();
    return well && health.refusedRules().isEmpty() && health.warnings().isEmpty()
        ? "up"
        : "degraded";
  }
}
