package dev.weir.server.http.admin;

import dev.weir.rules.Fault;
import dev.weir.rules.RuleSet;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.RulePublisher;
import dev.weir.server.service.RuleStatus;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/** Shows the rules to anybody, and lets administrators replace them. */
public final class RuleCalls {
  private static final String YAML = "application/yaml";
  private static final int MOST_FAULTS = 20;

  private final Context context;
  private final RulePublisher publisher;
  private final RuleStatus status;
  private final StoreCallRunner storeCalls;
  private final AdminGate gate;
  private final int mostBytes;

  public RuleCalls(
      Context context,
      RulePublisher publisher,
      RuleStatus status,
      StoreCallRunner storeCalls,
      AdminGate gate,
      int mostBytes) {
    this.context = context;
    this.publisher = publisher;
    this.status = status;
    this.storeCalls = storeCalls;
    this.gate = gate;
    this.mostBytes = mostBytes;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.GET, "/v1/rules", this::show)
        .on(HttpMethod.PUT, "/v1/rules", this::replace)
        .on(HttpMethod.DELETE, "/v1/rules", this::withdraw)
        .on(HttpMethod.GET, "/v1/rules/refused", this::refused);
  }

  private void show(Exchange exchange) {
    storeCalls.guarded(
        exchange,
        () -> off(() -> publisher.current().toYaml()),
        (answered, yaml) -> answered.answer(200, YAML, yaml));
  }

  private void replace(Exchange exchange) {
    if (gate.admits(exchange)) {
      storeCalls.body(exchange, mostBytes, yaml -> replace(exchange, yaml));
    }
  }

  private void replace(Exchange exchange, String yaml) {
    storeCalls.guarded(exchange, () -> off(() -> publisher.replace(yaml)), RuleCalls::replaced);
  }

  private void withdraw(Exchange exchange) {
    if (gate.admits(exchange)) {
      storeCalls.guarded(exchange, () -> off(publisher::withdraw), RuleCalls::replaced);
    }
  }

  /** The faults of the latest rules, which may quote them and so are not for everybody. */
  private void refused(Exchange exchange) {
    if (gate.admits(exchange)) {
      exchange.json(status.refusal().map(RuleCalls::json).orElseGet(RuleCalls::nothingRefused));
    }
  }

  private static JsonObject json(RuleStatus.Refusal refusal) {
    JsonArray faults = new JsonArray();
    refusal.why().faults().stream().limit(MOST_FAULTS).map(Fault::toString).forEach(faults::add);
    int more = refusal.why().faults().size() - faults.size();
    return new JsonObject().put("at", refusal.at()).put("faults", faults).put("more", more);
  }

  private static JsonObject nothingRefused() {
    return new JsonObject().putNull("at").put("faults", new JsonArray()).put("more", 0);
  }

  /** Off the event loop: thousands of rules take longer to read than a decision may wait. */
  private <T> CompletionStage<T> off(Callable<T> work) {
    return context.executeBlocking(work).toCompletionStage();
  }

  private static void replaced(Exchange exchange, RuleSet rules) {
    exchange.json(new JsonObject().put("rules", new JsonArray(rules.names())));
  }
}
