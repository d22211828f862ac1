package dev.weir.server.http.admin;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.LeaseStatus;
import dev.weir.Outcome;
import dev.weir.http.DecisionJson;
import dev.weir.internal.text.JsonWriter;
import dev.weir.rules.Explanation;
import dev.weir.rules.Explanation.RuleView;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.CheckRequestBody;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.LimitService.Explained;
import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Says which rules apply to a request and why. It evaluates every rule and shows their conditions,
 * so it is for administrators unless it was opened.
 */
public final class ExplainCall {
  private static final int USUAL_LENGTH = 512;

  /** The most rules that are shown: of those that match, and separately of those that do not. */
  private static final int MAX_RULES = 1000;

  private final LimitService service;
  private final StoreCallRunner storeCalls;
  private final BlockingTaskPool work;
  private final AdminGate gate;
  private final boolean open;
  private final Supplier<LeaseStatus> leases;

  /**
   * @param open whether anybody may ask
   * @param leases what this instance holds
   */
  public ExplainCall(
      LimitService service,
      StoreCallRunner storeCalls,
      BlockingTaskPool work,
      AdminGate gate,
      boolean open,
      Supplier<LeaseStatus> leases) {
    this.service = service;
    this.storeCalls = storeCalls;
    this.work = work;
    this.gate = gate;
    this.open = open;
    this.leases = leases;
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

  private String json(Explained explained) {
    List<RuleView> all = explained.explanation().rules();
    List<RuleView> shown =
        all.size() <= MAX_RULES ? all : Stream.concat(some(all, true), some(all, false)).toList();
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    DecisionJson.write(explained.decision(), out);
    JsonWriter json = JsonWriter.reopenObject(out);
    json.rawMember("rules", new Explanation(shown).rulesAsJson());
    if (shown.size() < all.size()) {
      json.member("rulesLeftOut", all.size() - shown.size());
    }
    writeLeases(explained.decision(), json);
    json.endObject();
    return out.append('\n').toString();
  }

  /** What this instance can spend of the request's keys without asking the store. */
  private void writeLeases(Decision decision, JsonWriter json) {
    List<Claim> claims = decision.outcomes().stream().map(Outcome::claim).toList();
    if (claims.stream().allMatch(claim -> claim.policy().lease().isEmpty())) {
      return;
    }
    json.beginArray("leases");
    leases.get().held().stream()
        .filter(held -> isOf(claims, held))
        .forEach(held -> write(held, json));
    json.endArray();
  }

  private static boolean isOf(List<Claim> claims, LeaseStatus.Held held) {
    return claims.stream().anyMatch(claim -> claim.sameState(Claim.of(held.policy(), held.key())));
  }

  private static void write(LeaseStatus.Held held, JsonWriter json) {
    json.beginObject()
        .member("rule", held.policy().rule())
        .member("name", held.policy().name())
        .member("key", held.key())
        .member("unspent", held.unspent())
        .member("leftMillis", Math.max(0, held.left().toMillis()))
        .endObject();
  }

  private static Stream<RuleView> some(List<RuleView> rules, boolean matched) {
    return rules.stream().filter(rule -> rule.matched() == matched).limit(MAX_RULES);
  }
}
