package dev.weir.server.http.admin;

import dev.weir.Claim;
import dev.weir.internal.text.MessageText;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.Attributes;
import dev.weir.server.http.BadRequestException;
import dev.weir.server.http.BlockingTaskPool;
import dev.weir.server.http.CheckRequestBody;
import dev.weir.server.http.ClaimsJson;
import dev.weir.server.http.Exchange;
import dev.weir.server.http.Query;
import dev.weir.server.http.Router;
import dev.weir.server.http.StoreCallRunner;
import dev.weir.server.service.AdminChange;
import dev.weir.server.service.AdminOverridesJson;
import dev.weir.server.service.AuditTrail;
import dev.weir.server.service.KeyBlocks;
import dev.weir.server.service.LimitService;
import dev.weir.server.service.SharedAdminOverrides;
import dev.weir.server.service.TopDeniedKeys;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The calls of administrators, which change the answers of others or show their keys. */
public final class AdminCalls {
  private static final int USUAL_TOP = 20;
  private static final int MAX_TOP = 1000;

  private final LimitService service;
  private final SharedAdminOverrides overrides;
  private final KeyBlocks blocks;
  private final TopDeniedKeys denied;
  private final AuditTrail audit;
  private final StoreCallRunner storeCalls;
  private final BlockingTaskPool work;
  private final AdminGate gate;

  public AdminCalls(
      LimitService service,
      SharedAdminOverrides overrides,
      TopDeniedKeys denied,
      AuditTrail audit,
      StoreCallRunner storeCalls,
      BlockingTaskPool work,
      AdminGate gate) {
    this.service = service;
    this.overrides = overrides;
    this.blocks = new KeyBlocks(service, overrides, denied);
    this.denied = denied;
    this.audit = audit;
    this.storeCalls = storeCalls;
    this.work = work;
    this.gate = gate;
  }

  public void addTo(Router router) {
    router
        .on(HttpMethod.POST, "/v1/refund", admin(this::refund))
        .on(HttpMethod.POST, "/v1/reset", admin(this::reset))
        .on(HttpMethod.POST, "/v1/block", admin(this::block))
        .on(HttpMethod.POST, "/v1/unblock", admin(this::unblock))
        .on(HttpMethod.GET, "/v1/switches", admin(this::show))
        .on(HttpMethod.PUT, "/v1/kill-switch", admin(exchange -> kill(exchange, true)))
        .on(HttpMethod.DELETE, "/v1/kill-switch", admin(exchange -> kill(exchange, false)))
        .on(HttpMethod.GET, "/v1/denied", admin(this::topDenied));
  }

  private Consumer<Exchange> admin(Consumer<Exchange> call) {
    return exchange -> {
      if (gate.admits(exchange)) {
        call.accept(exchange);
      }
    };
  }

  private void refund(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_RECEIPT,
        body -> service.refund(body.attributes(), body.permits(), body.receipt()),
        (answered, claims) -> limits(answered, claims, "refunded"));
  }

  private void reset(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_LIMIT,
        body -> {
          if (body.limit().isPresent()) {
            claims(body.attributes(), body); // refuses a name that no limit has
          }
          return service.reset(body.attributes(), body.limit());
        },
        (answered, claims) -> limits(answered, claims, "reset"));
  }

  private void block(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_LIMIT_AND_SECONDS,
        body -> {
          List<Claim> claims = claims(body.attributes(), body);
          String time = body.seconds().map(seconds -> " for " + seconds + " s").orElse("");
          CompletionStage<JsonObject> answer =
              changed(blocks.block(claims, body.seconds()), claims);
          audit(exchange, "blocked" + time, claims);
          return answer;
        },
        Exchange::json);
  }

  private void unblock(Exchange exchange) {
    storeCalls.ask(
        exchange,
        CheckRequestBody.WITH_LIMIT,
        body -> {
          List<Claim> claims = claims(body.attributes(), body);
          CompletionStage<JsonObject> answer = changed(blocks.unblock(claims), claims);
          audit(exchange, "unblocked", claims);
          return answer;
        },
        Exchange::json);
  }

  /** Blocking nothing at all is a mistake in the attributes and must not look like success. */
  private List<Claim> claims(Attributes attributes, CheckRequestBody body) {
    List<Claim> all = service.named(attributes, Optional.empty());
    if (all.isEmpty()) {
      throw new BadRequestException("no limit applies to these attributes; /v1/explain says why");
    }
    List<Claim> claims = service.named(attributes, body.limit());
    if (claims.isEmpty()) {
      throw new BadRequestException(
          "limit must be one that applies to these attributes: "
              + String.join(", ", names(all))
              + "; was "
              + PrintableText.quoted(body.limit().orElse(""))
              + MessageText.didYouMean(body.limit().orElse(""), names(all)));
    }
    return claims;
  }

  private static List<String> names(List<Claim> claims) {
    return claims.stream().map(claim -> claim.policy().name()).distinct().toList();
  }

  private CompletionStage<JsonObject> changed(CompletionStage<Boolean> change, List<Claim> claims) {
    return change.thenApply(published -> where(json(claims), published));
  }

  /** Says where a change counts. */
  private JsonObject where(JsonObject answer, boolean published) {
    String all = overrides.isShared() ? "all instances" : "this instance; its store is memory";
    return answer
        .put(KeyBlocks.EVERYWHERE, published)
        .put("where", published ? all : "this instance; the others when Redis answers again");
  }

  private void kill(Exchange exchange, boolean on) {
    audit(exchange, "switched the kill switch " + (on ? "on" : "off"), List.of());
    storeCalls.guarded(
        exchange,
        () -> overrides.change(AdminChange.kill(on)).thenCompose(this::state),
        AdminCalls::state);
  }

  private void show(Exchange exchange) {
    storeCalls.guarded(exchange, () -> state(overrides.unpublished() == 0), AdminCalls::state);
  }

  /** Sorting and writing all blocks takes too long for an event loop. */
  private CompletionStage<Buffer> state(boolean published) {
    return work.run(
        () -> {
          JsonObject state = AdminOverridesJson.write(overrides.here().state());
          return where(state, published).toBuffer().appendString("\n");
        });
  }

  private static void state(Exchange exchange, Buffer json) {
    exchange.answer(200, Exchange.JSON, json);
  }

  private void topDenied(Exchange exchange) {
    String top = Query.of(exchange.request()).get("top");
    if (top != null && !top.matches("[0-9]{1,6}")) {
      throw new BadRequestException("top must be a number from 1 to " + MAX_TOP);
    }
    int most = top == null ? USUAL_TOP : Math.min(Integer.parseInt(top), MAX_TOP);
    JsonArray keys = new JsonArray();
    denied.top(most).forEach(entry -> keys.add(json(entry)));
    exchange.json(new JsonObject().put("keys", keys));
  }

  private static JsonObject json(TopDeniedKeys.DeniedKey entry) {
    JsonObject json =
        new JsonObject()
            .put("rule", entry.key().rule())
            .put("limit", entry.key().limit())
            .put("key", entry.key().key())
            .put("denials", entry.denials())
            .put("atMostTooHigh", entry.atMostTooHigh());
    return entry.penaltyMillis() == 0 ? json : json.put("penaltyMillis", entry.penaltyMillis());
  }

  private void limits(Exchange exchange, List<Claim> claims, String action) {
    audit(exchange, action, claims);
    exchange.json(json(claims));
  }

  private void audit(Exchange exchange, String action, List<Claim> claims) {
    String keys = claims.stream().map(Claim::key).distinct().collect(Collectors.joining(", "));
    audit.record(
        exchange.request().remoteAddress().hostAddress(),
        claims.isEmpty() ? action : action + " in " + String.join(", ", names(claims)),
        keys);
  }

  private static JsonObject json(List<Claim> claims) {
    return new JsonObject().put("limits", ClaimsJson.of(claims));
  }
}
