package dev.weir.server.http.admin;

import dev.weir.rules.RuleSet;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.SlowWork;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.RulePublisher;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;

/** Shows the rules to administrators, or to anybody if that was opened, and replaces them. */
public final class RuleCalls {
  private static final String YAML = "application/yaml";

  private final RulePublisher publisher;
  private final StoreCallRunner storeCalls;
  private final SlowWork work;
  private final SlowWork reading;
  private final AdminGate gate;
  private final boolean open;
  private final int mostBytes;

  /**
   * @param open whether anybody may read the rules
   * @param mostBytes the largest rules that may be given
   */
  public RuleCalls(
      RulePublisher publisher,
      StoreCallRunner storeCalls,
      SlowWork work,
      AdminGate gate,
      boolean open,
      int mostBytes) {
    this.publisher = publisher;
    this.storeCalls = storeCalls;
    this.work = work;
    this.reading = open ? work.bounded() : work;
    this.gate = gate;
    this.open = open;
    this.mostBytes = mostBytes;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.GET, "/v1/rules", this::show)
        .on(HttpMethod.PUT, "/v1/rules", this::replace);
  }

  private void show(Exchange exchange) {
    if (open || gate.admits(exchange)) {
      storeCalls.guarded(
          exchange,
          () -> reading.run(publisher::currentYaml),
          (answered, yaml) -> answered.answer(200, YAML, Buffer.buffer(yaml)));
    }
  }

  private void replace(Exchange exchange) {
    if (gate.admits(exchange)) {
      storeCalls.body(exchange, mostBytes, body -> replace(exchange, body.getBytes()));
    }
  }

  private void replace(Exchange exchange, byte[] yaml) {
    storeCalls.guarded(
        exchange,
        () ->
            work.run(() -> publisher.read(yaml))
                .thenCompose(
                    next -> publisher.replace(next, new String(yaml, StandardCharsets.UTF_8))),
        RuleCalls::replaced);
  }

  private static void replaced(Exchange exchange, RuleSet rules) {
    exchange.json(new JsonObject().put("rules", new JsonArray(rules.names())));
  }
}
