package dev.weir.server.http.admin;

import dev.weir.rules.RuleSet;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.RulePublisher;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/** Shows the rules to anybody, and lets administrators replace them. */
public final class RuleCalls {
  private static final String YAML = "application/yaml";

  private final Context context;
  private final RulePublisher publisher;
  private final StoreCallRunner storeCalls;
  private final AdminGate gate;
  private final int mostBytes;

  public RuleCalls(
      Context context,
      RulePublisher publisher,
      StoreCallRunner storeCalls,
      AdminGate gate,
      int mostBytes) {
    this.context = context;
    this.publisher = publisher;
    this.storeCalls = storeCalls;
    this.gate = gate;
    this.mostBytes = mostBytes;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.GET, "/v1/rules", this::show)
        .on(HttpMethod.PUT, "/v1/rules", this::replace);
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
    storeCalls.guarded(
        exchange,
        () -> off(() -> publisher.read(yaml)).thenCompose(next -> publisher.replace(next, yaml)),
        RuleCalls::replaced);
  }

  /** Off the event loop: thousands of rules take longer to read than a decision may wait. */
  private <T> CompletionStage<T> off(Callable<T> work) {
    return context.executeBlocking(work).toCompletionStage();
  }

  private static void replaced(Exchange exchange, RuleSet rules) {
    exchange.json(new JsonObject().put("rules", new JsonArray(rules.names())));
  }
}
