package dev.weir.server.http.dashboard;

import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.internal.text.KebabCase;
import dev.weir.internal.text.LimitText;
import dev.weir.rules.Fault;
import dev.weir.rules.InvalidRulesException;
import dev.weir.rules.RuleSet;
import dev.weir.server.dashboard.WhatIf;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Query;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminGate;
import dev.weir.server.service.AuditTrail;
import dev.weir.server.service.RulePublisher;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Shows the rules on the dashboard, and checks a candidate that is edited there: for faults while
 * it is typed, and for its effect on the latest requests. These calls never change the rules in
 * effect, except for the mode of a single rule.
 */
public final class CandidateCalls {
  private static final int MAX_RULES = 500;

  private final RulePublisher publisher;
  private final WhatIf whatIf;
  private final AuditTrail audit;
  private final StoreCallRunner storeCalls;
  private final BlockingTaskPool work;
  private final AdminGate gate;
  private final boolean open;
  private final int mostBytes;

  public CandidateCalls(
      RulePublisher publisher,
      WhatIf whatIf,
      AuditTrail audit,
      StoreCallRunner storeCalls,
      BlockingTaskPool work,
      AdminGate gate,
      boolean open,
      int mostBytes) {
    this.publisher = publisher;
    this.whatIf = whatIf;
    this.audit = audit;
    this.storeCalls = storeCalls;
    this.work = work;
    this.gate = gate;
    this.open = open;
    this.mostBytes = mostBytes;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.GET, "/dashboard/rules", this::show)
        .on(HttpMethod.POST, "/dashboard/candidate", this::check)
        .on(HttpMethod.PUT, "/dashboard/mode", this::changeMode);
  }

  private void show(Exchange exchange) {
    if (open || gate.admits(exchange)) {
      storeCalls.guarded(exchange, () -> work.run(this::rules), Exchange::json);
    }
  }

  private JsonObject rules() {
    RuleSet current = publisher.current();
    List<Policy> policies = current.policies();
    JsonArray rules = new JsonArray();
    current.names().stream()
        .limit(MAX_RULES)
        .forEach(
            name ->
                rules.add(
                    new JsonObject()
                        .put("name", name)
                        .put("place", current.place(name).orElse(null))
                        .put("limits", limits(name, policies))));
    return new JsonObject()
        .put("yaml", new String(publisher.currentYaml(), StandardCharsets.UTF_8))
        .put("rules", rules)
        .put("rulesLeftOut", Math.max(0, current.names().size() - MAX_RULES));
  }

  private static JsonArray limits(String rule, List<Policy> policies) {
    JsonArray limits = new JsonArray();
    policies.stream()
        .filter(policy -> policy.rule().equals(rule))
        .forEach(
            policy ->
                limits.add(
                    new JsonObject()
                        .put("name", policy.name())
                        .put("rate", LimitText.of(policy.limit()))
                        .put("algorithm", KebabCase.of(policy.limit().algorithm()))
                        .put("mode", KebabCase.of(policy.mode()))
                        .put("onStoreFailure", KebabCase.of(policy.onStoreFailure()))));
    return limits;
  }

  private void check(Exchange exchange) {
    if (gate.admits(exchange)) {
      boolean compare = "true".equals(Query.of(exchange.request()).get("what-if"));
      storeCalls.body(
          exchange,
          mostBytes,
          body ->
              storeCalls.guarded(
                  exchange, () -> work.run(() -> check(body.getBytes(), compare)), Exchange::json));
    }
  }

  private JsonObject check(byte[] yaml, boolean compare) {
    RuleSet candidate;
    try {
      candidate = RuleSet.parse("candidate", yaml);
    } catch (InvalidRulesException refused) {
      return faults(refused.faults());
    }
    JsonObject answer =
        new JsonObject().put("faults", new JsonArray()).put("rules", candidate.names().size());
    return compare
        ? answer.put("whatIf", json(whatIf.compare(publisher.current(), candidate)))
        : answer;
  }

  private static JsonObject faults(List<Fault> all) {
    List<JsonObject> shown = new ArrayList<>();
    all.stream()
        .limit(InvalidRulesException.SHOWN)
        .forEach(
            fault ->
                shown.add(
                    new JsonObject()
                        .put("line", fault.line())
                        .put("column", fault.column())
                        .put("text", fault.text())));
    return new JsonObject()
        .put("faults", new JsonArray(shown))
        .put("more", all.size() - shown.size());
  }

  private static JsonObject json(WhatIf.Comparison comparison) {
    JsonArray keys = new JsonArray();
    comparison
        .keys()
        .forEach(
            each ->
                keys.add(
                    new JsonObject()
                        .put("rule", each.key().rule())
                        .put("limit", each.key().limit())
                        .put("key", each.key().key())
                        .put("requests", each.requests())));
    return new JsonObject()
        .put("requests", comparison.requests())
        .put("spanMillis", comparison.spanMillis())
        .put("deniedNow", comparison.deniedNow())
        .put("deniedThen", comparison.deniedThen())
        .put("newlyDenied", comparison.newlyDenied())
        .put("newlyAllowed", comparison.newlyAllowed())
        .put("keys", keys)
        .put("unknownAttributes", new JsonArray(comparison.unknown()));
  }

  private void changeMode(Exchange exchange) {
    if (gate.admits(exchange)) {
      String rule = Query.of(exchange.request()).get("rule");
      String mode = Query.of(exchange.request()).get("mode");
      if (rule == null || !List.of("shadow", "enforce").contains(mode)) {
        throw new BadRequestException("rule must be given, and mode: shadow or enforce");
      }
      Mode next = mode.equals("shadow") ? Mode.SHADOW : Mode.ENFORCE;
      String from = exchange.request().remoteAddress().hostAddress();
      storeCalls.guarded(
          exchange, () -> work.run(() -> changeMode(rule, next, from)), Exchange::json);
    }
  }

  private JsonObject changeMode(String rule, Mode mode, String from) {
    publisher.changeMode(rule, mode);
    String action = "set rule " + rule + " to " + KebabCase.of(mode);
    audit.record(from, action, "");
    return new JsonObject().put("done", action);
  }
}
