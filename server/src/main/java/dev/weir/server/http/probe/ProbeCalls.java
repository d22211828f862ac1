package dev.weir.server.http.probe;

import dev.weir.rules.RuleStatus;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.WaitingRequests;
import dev.weir.server.service.Health;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.util.Locale;
import java.util.function.Predicate;

/** The probes of balancers and supervisors: whether the service is alive and ready. */
public final class ProbeCalls {
  /** Looked up once: doing so for every probe would take longer than the rest of the answer. */
  private static final RuntimeMXBean RUNTIME = ManagementFactory.getRuntimeMXBean();

  private static final String TEXT = "text/plain; charset=utf-8";

  private final Health health;
  private final WaitingRequests waiting;
  private final Predicate<Exchange> page;

  /**
   * @param page answers browsers at {@code /}, and says whether it did; others get the overview
   */
  public ProbeCalls(Health health, WaitingRequests waiting, Predicate<Exchange> page) {
    this.health = health;
    this.waiting = waiting;
    this.page = page;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.GET, "/healthz", exchange -> exchange.json(state()))
        .on(HttpMethod.GET, "/readyz", this::ready)
        .on(HttpMethod.GET, "/healthcheck", this::healthcheck)
        .on(HttpMethod.GET, "/", this::overview);
    ApiDescription.addTo(router);
  }

  private void overview(Exchange exchange) {
    if (!page.test(exchange)) {
      exchange.answer(200, TEXT, CallOverview.TEXT);
    }
  }

  private void ready(Exchange exchange) {
    exchange.json(health.ready() ? 200 : 503, state());
  }

  /** As Envoy's users probe a rate-limit service. */
  private void healthcheck(Exchange exchange) {
    boolean ready = health.ready();
    String notReady = health.draining() ? "draining\n" : "starting\n";
    exchange.answer(ready ? 200 : 503, TEXT, ready ? "OK\n" : notReady);
  }

  private JsonObject state() {
    RuleStatus.InEffect rules = health.rules().inEffect();
    return new JsonObject()
        .put("status", health.state().name().toLowerCase(Locale.ROOT))
        .put("reasons", new JsonArray(health.reasons()))
        .put("store", health.storeName())
        .put("silentNodes", new JsonArray(health.store().silentNodes()))
        .put("fallback", health.store().fallback())
        .put("killSwitch", health.killed())
        .put("rulesVersion", rules.version())
        .put("rulesSource", rules.source())
        .put("rulesHash", rules.hash())
        .put(
            "rulesRefusedAt",
            health.rules().refusal().map(RuleStatus.RefusedRules::at).orElse(null))
        .put("warnings", new JsonArray(health.warnings()))
        .put("inFlight", waiting.now())
        .put("uptimeSeconds", RUNTIME.getUptime() / 1000);
  }
}
