package dev.weir.server.http.admin;

import dev.weir.http.DecisionJson;
import dev.weir.internal.text.JsonWriter;
import dev.weir.rules.Explanation;
import dev.weir.rules.Explanation.RuleView;
import dev.weir.server.http.CheckRequestBody;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.SlowWork;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.LimitService.Explained;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Says which rules apply to a request and why. It evaluates every rule and shows their conditions,
 * so it is for administrators unless it was opened.
 */
public final class ExplainCall {
  private static final int USUAL_LENGTH = 512;

  /** Of the rules that match, and again of those that do not. */
  private static final int MOST_RULES = 1000;

  private final LimitService service;
  private final StoreCallRunner storeCalls;
  private final SlowWork work;
  private final AdminGate gate;
  private final boolean open;

  /**
   * @param open whether anybody may ask
   */
  public ExplainCall(
      LimitService service,
      StoreCallRunner storeCalls,
      SlowWork work,
      AdminGate gate,
      boolean open) {
    this.service = service;
    this.storeCalls = storeCalls;
    this.work = work;
    this.gate = gate;
    this.open = open;
  }

  public void addTo(Router router) {
    router.on(HttpMethod.POST, "/v1/explain", this::explain);
  }

  private void explain(Exchange exchange) {
    if (open || gate.admits(exchange)) {
      storeCalls.ask(
          exchange,
          CheckRequestBody.QUESTION,
          this::explain,
          (answered, json) -> answered.answer(200, Exchange.JSON, json)); // whatever is decided
    }
  }

  private CompletionStage<String> explain(CheckRequestBody body) {
    return work.run(() -> service.explain(body.attributes(), body.permits()))
        .thenCompose(Function.identity())
        .thenCompose(explained -> work.run(() -> json(explained)));
  }

  private static String json(Explained explained) {
    List<RuleView> all = explained.explanation().rules();
    List<RuleView> shown =
        all.size() <= MOST_RULES ? all : Stream.concat(some(all, true), some(all, false)).toList();
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    DecisionJson.write(explained.decision(), out);
    JsonWriter json = JsonWriter.reopenObject(out);
    json.rawMember("rules", new Explanation(shown).rulesAsJson());
    if (shown.size() < all.size()) {
      json.member("rulesLeftOut", all.size() - shown.size());
    }
    json.endObject();
    return out.append('\n').toString();
  }

  private static Stream<RuleView> some(List<RuleView> rules, boolean matched) {
    return rules.stream().filter(rule -> rule.matched() == matched).limit(MOST_RULES);
  }
}
