package dev.weir.server.http.dashboard;

import dev.weir.Decision;
import dev.weir.http.DecisionJson;
import dev.weir.http.Problem;
import dev.weir.http.RateLimitFields;
import dev.weir.internal.text.JsonWriter;
import dev.weir.rules.Explanation;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.CheckRequestBody;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Query;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminGate;
import dev.weir.server.service.LimitService;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tries one request: decision, header fields and explanation in one answer. */
public final class TryCall {
  private static final int MAX_RULES = 50;

  private final LimitService service;
  private final RateLimitFields fields;
  private final StoreCallRunner storeCalls;
  private final BlockingTaskPool work;
  private final AdminGate gate;
  private final boolean open;

  /**
   * @param open whether anybody may have requests explained
   */
  public TryCall(
      LimitService service,
      RateLimitFields fields,
      StoreCallRunner storeCalls,
      BlockingTaskPool work,
      AdminGate gate,
      boolean open) {
    this.service = service;
    this.fields = fields;
    this.storeCalls = storeCalls;
    this.work = work;
    this.gate = gate;
    this.open = open;
  }

  public void addTo(Router router) {
    router.on(HttpMethod.POST, "/dashboard/try", this::attempt);
  }

  private void attempt(Exchange exchange) {
    if (open || gate.admits(exchange)) {
      boolean take = "true".equals(Query.of(exchange.request()).get("take"));
      storeCalls.ask(
          exchange,
          CheckRequestBody.QUESTION,
          body -> attempt(body, take),
          (answered, json) -> answered.answer(200, Exchange.JSON, json)); // whatever is decided
    }
  }

  private CompletionStage<String> attempt(CheckRequestBody body, boolean take) {
    CompletionStage<Decision> decided =
        take
            ? service.check(body.attributes(), body.permits())
            : service.peek(body.attributes(), body.permits());
    return decided.thenCompose(
        decision -> work.run(() -> json(decision, service.explanation(body.attributes()))));
  }

  private String json(Decision decision, Explanation explanation) {
    StringBuilder decided = new StringBuilder();
    DecisionJson.write(decision, decided);
    StringBuilder out = new StringBuilder();
    JsonWriter json =
        new JsonWriter(out)
            .beginObject()
            .member("status", decision.allowed() ? 200 : Problem.of(decision).status())
            .member("fields", fieldLines(decision))
            .rawMember("decision", decided.toString())
            .rawMember("rules", new Explanation(shown(explanation)).rulesAsJson());
    json.endObject();
    return out.append('\n').toString();
  }

  private List<String> fieldLines(Decision decision) {
    return fields.of(decision).entrySet().stream()
        .map(field -> field.getKey() + ": " + field.getValue())
        .collect(Collectors.toList());
  }

  /** Those that match come first. */
  private static List<Explanation.RuleView> shown(Explanation explanation) {
    return Stream.concat(some(explanation, true), some(explanation, false))
        .limit(MAX_RULES)
        .toList();
  }

  private static Stream<Explanation.RuleView> some(Explanation explanation, boolean matched) {
    return explanation.rules().stream().filter(rule -> rule.matched() == matched);
  }
}
