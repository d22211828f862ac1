package dev.weir.server.http.decision;

import dev.weir.Decision;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.http.DecisionJson;
import dev.weir.http.HttpAnswer;
import dev.weir.http.Problem;
import dev.weir.http.RateLimitFields;
import dev.weir.server.http.Exchange;
import dev.weir.server.service.AdminOverrides;
import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes decisions as answers: fields, status and body. Safe for many threads. */
public final class DecisionResponse {
  private static final int USUAL_LENGTH = 512;

  /** Names whose hash and bytes are known, which saves time in every answer. */
  private static final Map<String, CharSequence> FIELD_NAMES =
      Stream.of("RateLimit-Policy", "RateLimit", "Retry-After", "Cache-Control")
          .collect(Collectors.toMap(name -> name, HttpHeaders::createOptimized));

  private final RateLimitFields fields;
  private final AdminOverrides overrides;
  private final Function<Receipt, String> receipts;

  /**
   * @param receipts writes receipts, in characters that JSON does not escape
   */
  public DecisionResponse(
      RateLimitFields fields, AdminOverrides overrides, Function<Receipt, String> receipts) {
    this.fields = fields;
    this.overrides = overrides;
    this.receipts = receipts;
  }

  void decision(Exchange exchange, Decision decision) {
    writeFields(exchange, decision);
    if (decision.allowed()) {
      exchange.answer(200, Exchange.JSON, allowed(decision));
    } else {
      deny(exchange, decision, Problem.of(decision).status());
    }
  }

  /**
   * For a proxy, which looks at the status and the fields.
   *
   * @param denyStatus for proxies that do not understand 429
   */
  void authorization(Exchange exchange, Decision decision, OptionalInt denyStatus) {
    writeFields(exchange, decision);
    if (decision.allowed()) {
      exchange.answerWithoutBody(200);
    } else {
      deny(exchange, decision, denyStatus.orElseGet(() -> Problem.of(decision).status()));
    }
  }

  private void writeFields(Exchange exchange, Decision decision) {
    fields.write(
        decision,
        (name, value) ->
            exchange.response().putHeader(FIELD_NAMES.getOrDefault(name, name), value));
    if (decision.source() == Source.FALLBACK) {
      exchange.response().putHeader(HttpAnswer.SOURCE_FIELD, "fallback");
    }
    if (overrides.killed()) {
      exchange.response().putHeader("Weir-Kill-Switch", "on");
    }
  }

  private String allowed(Decision decision) {
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    DecisionJson.write(decision, out);
    decision
        .receipt()
        .ifPresent(
            receipt -> {
              out.setLength(out.length() - 1);
              out.append(",\"receipt\":\"").append(receipts.apply(receipt)).append("\"}");
            });
    return out.append('\n').toString();
  }

  private static void deny(Exchange exchange, Decision decision, int status) {
    StringBuilder out = new StringBuilder(USUAL_LENGTH);
    DecisionJson.writeDenial(decision, status, out);
    exchange.answer(status, Problem.MEDIA_TYPE, out.append('\n').toString());
  }
}
