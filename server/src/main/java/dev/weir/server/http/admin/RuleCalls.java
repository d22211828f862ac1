package dev.weir.server.http.admin;

import dev.weir.rules.Fault;
import dev.weir.rules.RuleSet;
import dev.weir.rules.RuleStatus;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.AuditTrail;
import dev.weir.server.service.RulePublisher;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;

/** Shows the rules to administrators, or to anybody if that was opened, and replaces them. */
public final class RuleCalls {
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String YAML = "application/yaml";
  private static final int MAX_HINTS = 20;

  private final RulePublisher publisher;
  private final RuleStatus status;
  private final AuditTrail audit;
  private final StoreCallRunner storeCalls;
  private final BlockingTaskPool work;
  private final BlockingTaskPool reading;
  private final AdminGate gate;
  private final boolean open;
  private final int mostBytes;

  /**
   * @param open whether anybody may read the rules
   * @param mostBytes the largest rules that may be given
   */
  public RuleCalls(
      RulePublisher publisher,
      RuleStatus status,
      AuditTrail audit,
      StoreCallRunner storeCalls,
      BlockingTaskPool work,
      AdminGate gate,
      boolean open,
      int mostBytes) {
    this.publisher = publisher;
    this.status = status;
    this.audit = audit;
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
        .on(HttpMethod.PUT, "/v1/rules", this::replace)
        .on(HttpMethod.DELETE, "/v1/rules", this::withdraw)
        .on(HttpMethod.GET, "/v1/rules/refused", this::refused)
        .on(HttpMethod.GET, "/rlconfig", this::list);
  }

  private void show(Exchange exchange) {
    if (open || gate.admits(exchange)) {
      storeCalls.guarded(
          exchange,
          () -> reading.run(publisher::currentYaml),
          (answered, yaml) -> answered.answer(200, YAML, Buffer.buffer(yaml)));
    }
  }

  /** The descriptors of Envoy's domains, as the reference service shows them. */
  private void list(Exchange exchange) {
    if (open || gate.admits(exchange)) {
      storeCalls.guarded(
          exchange,
          () -> reading.run(publisher::currentDescriptors),
          (answered, text) -> answered.answer(200, TEXT, text));
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
        () -> work.run(() -> publisher.replace(yaml)),
        (answered, rules) -> replaced(answered, rules, "replaced the rules"));
  }

  private void withdraw(Exchange exchange) {
    if (gate.admits(exchange)) {
      storeCalls.guarded(
          exchange,
          () -> work.run(publisher::withdraw),
          (answered, rules) -> replaced(answered, rules, "returned to the rules of the files"));
    }
  }

  /** The faults of the latest rules, which may quote them and so are not for everybody. */
  private void refused(Exchange exchange) {
    if (gate.admits(exchange)) {
      exchange.json(status.refusal().map(RuleCalls::json).orElseGet(RuleCalls::nothingRefused));
    }
  }

  private static JsonObject json(RuleStatus.RefusedRules refusal) {
    JsonArray faults = new JsonArray();
    refusal.faults().stream().map(Fault::toString).forEach(faults::add);
    return new JsonObject()
        .put("at", refusal.at())
        .put("faults", faults)
        .put("more", refusal.more());
  }

  private static JsonObject nothingRefused() {
    return new JsonObject().putNull("at").put("faults", new JsonArray()).put("more", 0);
  }

  private void replaced(Exchange exchange, RuleSet rules, String action) {
    audit.record(exchange.request().remoteAddress().hostAddress(), action, "");
    JsonObject answer = new JsonObject().put("rules", new JsonArray(rules.names()));
    List<String> hints = rules.hints().stream().limit(MAX_HINTS).map(Fault::toString).toList();
    exchange.json(hints.isEmpty() ? answer : answer.put("hints", new JsonArray(hints)));
  }
}
