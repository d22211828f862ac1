package dev.weir.server.http.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.Http;
import dev.weir.server.Http.Answer;
import dev.weir.server.RunningService;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests in flight, costs known afterwards, and retries, as callers of the service see them. */
final class ReceiptCompletionCallsTest {
  private static final String RULES =
      """
      rules:
        - name: models
          when: {path: /v1/**}
          limits:
            - {name: requests, key: tenant, limit: 10 per hour, algorithm: fixed-window}
            - {name: tokens, key: tenant, cost: tokens, limit: 1000 per hour, algorithm: fixed-window}
            - {name: at-once, key: tenant, limit: 2 at once, hold: 1m}
        - name: team
          when: {path: /v2/**}
          limits:
            - {name: team, key: team, limit: 10 per hour, algorithm: fixed-window}
            - {name: user, key: user, limit: 10 per hour, algorithm: fixed-window}
      """;

  @TempDir Path directory;
  private RunningService service;
  private Http http;

  @BeforeEach
  void start() {
    service =
        RunningService.start(
            RunningService.options(directory)
                .config(List.of(RunningService.rules(directory, RULES))));
    http = service.http;
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private static Map<String, String> tokens(long tokens) {
    return Map.of("path", "/v1/chat", "tenant", "t", "tokens", Long.toString(tokens));
  }

  private Answer withReceipt(String path, long tokens, long permits, String receipt) {
    JsonObject body = new JsonObject(Http.question(tokens(tokens), permits));
    return http.post(path, body.put("receipt", receipt).encode());
  }

  private List<Long> remaining() {
    return http.post("/v1/peek", Http.question(tokens(0), 1)).json().getJsonArray("limits").stream()
        .map(limit -> ((JsonObject) limit).getLong("remaining"))
        .toList();
  }

  @Test
  void slotsAreTakenReleasedAndNamedInTheFields() {
    Answer first = http.check(tokens(100));
    assertThat(first.field("RateLimit-Policy"))
        .isEqualTo(
            "\"requests\";q=10;w=3600, \"tokens\";q=1000;w=3600,"
                + " \"at-once\";q=2;qu=\"concurrent-requests\"");
    assertThat(first.field("RateLimit")).endsWith("\"at-once\";r=1");
    http.check(tokens(100));
    Answer denied = http.check(tokens(100));
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.field("Retry-After")).isEqualTo("none");
    assertThat(denied.json().getJsonArray("violated-policies")).containsExactly("at-once");
    assertThat(remaining()).containsExactly(8L, 800L, 0L);
    String receipt = first.json().getString("receipt");
    for (int sent = 0; sent < 2; sent++) {
      assertThat(withReceipt("/v1/release", 100, 1, receipt).status()).isEqualTo(200);
      assertThat(remaining()).containsExactly(8L, 800L, 1L);
    }
    assertThat(http.check(tokens(100)).status()).isEqualTo(200);
  }

  @Test
  void aHolderIsToldThatItsSlotIsLost() {
    String receipt = http.check(tokens(1)).json().getString("receipt");
    Answer renewed = withReceipt("/v1/renew", 1, 1, receipt);
    assertThat(renewed.status()).isEqualTo(200);
    assertThat(renewed.json().getBoolean("renewed")).isTrue();
    withReceipt("/v1/release", 1, 1, receipt);
    Answer lost = withReceipt("/v1/renew", 1, 1, receipt);
    assertThat(lost.status()).isEqualTo(409);
    assertThat(lost.json().getBoolean("renewed")).isFalse();
    assertThat(remaining()).containsExactly(9L, 999L, 2L);
  }

  @Test
  void anEstimateIsSettledOnceAndCancelledWithZero() {
    String receipt = http.check(tokens(300)).json().getString("receipt");
    for (int sent = 0; sent < 2; sent++) {
      assertThat(withReceipt("/v1/settle", 450, 1, receipt).status()).isEqualTo(200);
      assertThat(remaining()).containsExactly(9L, 550L, 1L);
    }
    String cancelled = http.check(tokens(500)).json().getString("receipt");
    withReceipt("/v1/settle", 500, 0, cancelled);
    assertThat(remaining()).containsExactly(9L, 550L, 1L);
  }

  @Test
  void theSameIdPaysOnce() {
    String body = new JsonObject(Http.question(tokens(10), 1)).put("id", "r-1").encode();
    Answer first = http.post("/v1/check", body);
    assertThat(first.json().containsKey("repeated")).isFalse();
    Answer again = http.post("/v1/check", body);
    assertThat(again.json().getBoolean("repeated")).isTrue();
    assertThat(again.json().getString("receipt")).isEqualTo(first.json().getString("receipt"));
    String plain = Http.question(tokens(10), 1);
    assertThat(
            http.post("/v1/check", plain, "Idempotency-Key", "\"r-1\"")
                .json()
                .getBoolean("repeated"))
        .isTrue();
    assertThat(remaining()).containsExactly(9L, 990L, 1L);
    assertThat(http.post("/v1/check", plain, "Idempotency-Key", "r-2").status()).isEqualTo(200);
    assertThat(remaining()).containsExactly(8L, 980L, 0L);
    assertThat(http.post("/v1/check", body, "Idempotency-Key", "r-3").detail())
        .isEqualTo("id and the field Idempotency-Key must be the same");
    assertThat(http.post("/v1/charge", plain, "Idempotency-Key", "r-3").detail())
        .isEqualTo("the field Idempotency-Key is for /v1/check: a charge is taken each time");
    assertThat(remaining()).containsExactly(8L, 980L, 0L);
  }

  @Test
  void callsWithoutAReceiptOrWithAStrangeOneAreRefused() {
    for (String path : List.of("/v1/release", "/v1/renew", "/v1/settle")) {
      assertThat(http.post(path, Http.question(tokens(1), 1)).detail())
          .isEqualTo("receipt must be given: the one that /v1/check answered with");
      assertThat(withReceipt(path, 1, 1, "models/at-once=x,@y").detail())
          .isEqualTo("receipt must be one that /v1/check gave, was \"models/at-once=x,@y\"");
    }
    assertThat(http.post("/v1/check", "{\"attributes\": {}, \"id\": \"\"}").detail())
        .isEqualTo("id must not be blank, was \"\"");
  }

  /** Whoever may check may settle, so a receipt must not give back what no check took. */
  @Test
  void aReceiptThatNoCheckGaveIsNotSettled() {
    String receipt = http.check(tokens(300)).json().getString("receipt");
    String seal = receipt.substring(receipt.indexOf(",~"));
    for (String forged :
        List.of(
            receipt.replace(":300", ":900"),
            receipt.replaceFirst("=\\d+", "=1"),
            receipt.replaceFirst("@[^,]+", "@" + UUID.randomUUID()),
            receipt.replaceFirst("models/requests=\\d+,", ""),
            receipt.replace(seal, ""),
            receipt.replace(seal, ",~AAAAAAAAAAAA"))) {
      assertThat(withReceipt("/v1/settle", 0, 0, forged).detail())
          .startsWith("receipt must be as /v1/check gave it for these attributes, was \"models/");
    }
    JsonObject ofAnother =
        new JsonObject(Http.question(Map.of("path", "/v1/chat", "tenant", "u", "tokens", "0"), 0));
    assertThat(http.post("/v1/settle", ofAnother.put("receipt", receipt).encode()).status())
        .isEqualTo(400);
    assertThat(remaining()).containsExactly(9L, 700L, 1L);
    assertThat(withReceipt("/v1/settle", 0, 0, receipt).status()).isEqualTo(200);
    assertThat(remaining()).containsExactly(10L, 1000L, 2L);
  }

  /** Settled in parts, each part would be settled once, and then the whole once more. */
  @Test
  void aReceiptIsSettledAsAWhole() {
    Map<String, String> both = Map.of("path", "/v2/x", "team", "t", "user", "u");
    Map<String, String> one = Map.of("path", "/v2/x", "team", "t");
    String receipt = http.check(both).json().getString("receipt");
    JsonObject part = new JsonObject(Http.question(one, 0)).put("receipt", receipt);
    assertThat(http.post("/v1/settle", part.encode()).detail())
        .startsWith("receipt must be of these attributes, was ");
    JsonObject whole = new JsonObject(Http.question(both, 0)).put("receipt", receipt);
    assertThat(http.post("/v1/settle", whole.encode()).status()).isEqualTo(200);
  }
}
