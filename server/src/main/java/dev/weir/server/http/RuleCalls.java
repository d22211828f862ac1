package dev.weir.server.http;

import dev.weir.rules.RuleSet;
import dev.weir.server.service.RuleBook;
import io.vertx.core.Context;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/** Shows the rules to anybody, and lets administrators replace them. */
final class RuleCalls {
  private static final String YAML = "application/yaml";

  private final Context context;
  private final RuleBook book;
  private final StoreCallRunner asking;
  private final AdminGate gate;
  private final int mostBytes;

  RuleCalls(Context context, RuleBook book, StoreCallRunner asking, AdminGate gate, int mostBytes) {
    this.context = context;
    this.book = book;
    this.asking = asking;
    this.gate = gate;
    this.mostBytes = mostBytes;
  }

  void addTo(Router router) {
    router
        .on(HttpMethod.GET, "/v1/rules", this::show)
        .on(HttpMethod.PUT, "/v1/rules", this::replace);
  }

  private void show(Exchange exchange) {
    asking.guarded(
        exchange,
        () -> off(() -> book.current().toYaml()),
        (answered, yaml) -> answered.answer(200, YAML, yaml));
  }

  private void replace(Exchange exchange) {
    if (gate.admits(exchange)) {
      asking.body(exchange, mostBytes, yaml -> replace(exchange, yaml));
    }
  }

  private void replace(Exchange exchange, String yaml) {
    asking.guarded(
        exchange,
        () -> off(() -> book.read(yaml)).thenCompose(next -> book.replace(next, yaml)),
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
