package dev.weir.server.http.dashboard;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Policy;
import dev.weir.Source;
import dev.weir.internal.text.KebabCase;
import dev.weir.internal.text.LimitText;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.http.admin.AdminGate;
import dev.weir.server.service.AuditTrail;
import dev.weir.server.service.KeyBlocks;
import dev.weir.server.service.LimitService;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Looks up one key as the top lists name it, and resets or blocks it there: for administrators, who
 * seldom know the attributes of the requests behind a key.
 */
public final class KeyCalls {
  private static final int MAX_BYTES = 8192;
  private static final int MAX_LIMITS = 200;

  private final LimitService service;
  private final KeyBlocks blocks;
  private final Supplier<List<Policy>> policies;
  private final AuditTrail audit;
  private final StoreCallRunner storeCalls;
  private final AdminGate gate;

  /**
   * @param policies of all limits that a key can be in
   */
  public KeyCalls(
      LimitService service,
      KeyBlocks blocks,
      Supplier<List<Policy>> policies,
      AuditTrail audit,
      StoreCallRunner storeCalls,
      AdminGate gate) {
    this.service = service;
    this.blocks = blocks;
    this.policies = policies;
    this.audit = audit;
    this.storeCalls = storeCalls;
    this.gate = gate;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.POST, "/dashboard/key", exchange -> call(exchange, this::states))
        .on(HttpMethod.POST, "/dashboard/key/reset", exchange -> call(exchange, this::reset))
        .on(HttpMethod.POST, "/dashboard/key/block", exchange -> call(exchange, this::block))
        .on(HttpMethod.POST, "/dashboard/key/unblock", exchange -> call(exchange, this::unblock));
  }

  private void call(
      Exchange exchange, BiFunction<JsonObject, String, CompletionStage<JsonObject>> call) {
    if (gate.admits(exchange)) {
      String from = exchange.request().remoteAddress().hostAddress();
      storeCalls.body(
          exchange,
          MAX_BYTES,
          body ->
              storeCalls.guarded(exchange, () -> call.apply(parse(body), from), Exchange::json));
    }
  }

  private static JsonObject parse(Buffer body) {
    try {
      return new JsonObject(body);
    } catch (DecodeException malformed) {
      throw new BadRequestException("body must be a JSON object");
    }
  }

  private CompletionStage<JsonObject> states(JsonObject body, String from) {
    String key = text(body, "key");
    List<Claim> claims =
        policies.get().stream()
            .distinct()
            .limit(MAX_LIMITS)
            .map(each -> Claim.of(each, key))
            .toList();
    return service.states(claims).thenApply(KeyCalls::json);
  }

  private static JsonObject json(List<Decision> decisions) {
    JsonArray used = new JsonArray();
    int fresh = 0;
    for (Decision decision : decisions) {
      for (Outcome outcome : decision.outcomes()) {
        if (isFresh(outcome)) {
          fresh++;
        } else {
          used.add(json(outcome));
        }
      }
    }
    return new JsonObject().put("limits", used).put("fresh", fresh);
  }

  private static boolean isFresh(Outcome outcome) {
    return outcome.stateKnown()
        && outcome.allowed()
        && outcome.remaining() >= outcome.policy().limit().capacity();
  }

  private static JsonObject json(Outcome outcome) {
    Duration wait = outcome.retryAfter();
    return new JsonObject()
        .put("rule", outcome.policy().rule())
        .put("limit", outcome.policy().name())
        .put("mode", KebabCase.of(outcome.policy().mode()))
        .put("rate", LimitText.of(outcome.policy().limit()))
        .put("known", outcome.stateKnown())
        .put("blocked", outcome.claim().isBlocked())
        .put("penalty", outcome.source() == Source.PENALTY)
        .put("allowed", outcome.allowed())
        .put("capacity", outcome.policy().limit().capacity())
        .put("remaining", outcome.remaining())
        .put("retryAfterMillis", wait.equals(Decision.NEVER) ? null : ceilMillis(wait))
        .put("resetAfterMillis", ceilMillis(outcome.resetAfter()));
  }

  private static long ceilMillis(Duration wait) {
    return wait.plusNanos(999_999).toMillis();
  }

  private CompletionStage<JsonObject> reset(JsonObject body, String from) {
    Claim claim = claim(body);
    return service
        .forget(List.of(claim))
        .thenApply(done -> done("reset a key in " + name(claim), claim, from));
  }

  private CompletionStage<JsonObject> block(JsonObject body, String from) {
    Claim claim = claim(body);
    Optional<Long> seconds = seconds(body);
    String time = seconds.map(given -> " for " + given + " s").orElse(" without end");
    return blocks
        .block(List.of(claim), seconds)
        .thenApply(
            published ->
                done("blocked a key in " + name(claim) + time, claim, from)
                    .put(KeyBlocks.EVERYWHERE, published));
  }

  private static Optional<Long> seconds(JsonObject body) {
    Object seconds = body.getValue("seconds");
    if (seconds == null || seconds instanceof Integer || seconds instanceof Long) {
      return Optional.ofNullable((Number) seconds).map(Number::longValue);
    }
    throw new BadRequestException("seconds must be a whole number below 2^63");
  }

  private CompletionStage<JsonObject> unblock(JsonObject body, String from) {
    Claim claim = claim(body);
    return blocks
        .unblock(List.of(claim))
        .thenApply(
            published ->
                done("unblocked a key in " + name(claim), claim, from)
                    .put(KeyBlocks.EVERYWHERE, published));
  }

  private JsonObject done(String action, Claim claim, String from) {
    audit.record(from, action, claim.key());
    return new JsonObject().put("done", action);
  }

  private Claim claim(JsonObject body) {
    String rule = text(body, "rule");
    String limit = text(body, "limit");
    return policies.get().stream()
        .filter(policy -> policy.rule().equals(rule) && policy.name().equals(limit))
        .findFirst()
        .map(policy -> Claim.of(policy, text(body, "key")))
        .orElseThrow(() -> new BadRequestException("there is no such rule and limit"));
  }

  private static String name(Claim claim) {
    return claim.policy().rule() + "/" + claim.policy().name();
  }

  private static String text(JsonObject body, String member) {
    if (body.getValue(member) instanceof String text) {
      return text;
    }
    throw new BadRequestException(member + " must be given, as text");
  }
}
