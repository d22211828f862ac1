package dev.weir.server.http.decision;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.server.Http;
import dev.weir.server.Http.Answer;
import dev.weir.server.RawHttp;
import dev.weir.server.RunningService;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calls that anybody may make. */
final class DecisionCallsTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");

  @TempDir Path directory;
  private RunningService service;
  private Http http;

  @BeforeEach
  void start() {
    service = RunningService.start(directory);
    http = service.http;
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void aRequestWithinItsLimitsIsAllowedAndToldWhatIsLeft() {
    Answer answer = http.check(ANN);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Content-Type")).isEqualTo("application/json");
    assertThat(answer.field("RateLimit-Policy"))
        .isEqualTo("\"user-hour\";q=3;w=3600, \"all-hour\";q=1000;w=3600");
    assertThat(answer.field("RateLimit"))
        .matches("\"user-hour\";r=2;t=\\d+, \"all-hour\";r=999;t=\\d+");
    assertThat(answer.field("Retry-After")).isEqualTo("none");
    assertThat(answer.json().getBoolean("allowed")).isTrue();
    assertThat(answer.json().getString("source")).isEqualTo("store");
    assertThat(limit(answer, 0).getLong("remaining")).isEqualTo(2);
  }

  @Test
  void theRequestAboveTheLimitIsDeniedWithTheProblemAndTakesNothingElsewhere() {
    for (int i = 0; i < 3; i++) {
      http.check(ANN);
    }
    Answer denied = http.check(ANN);

    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.field("Content-Type")).isEqualTo("application/problem+json");
    assertThat(denied.field("Cache-Control")).isEqualTo("no-store");
    assertThat(denied.json().getString("type"))
        .isEqualTo("https://iana.org/assignments/http-problem-types#quota-exceeded");
    assertThat(denied.json().getJsonArray("violated-policies"))
        .isEqualTo(new JsonArray().add("user-hour"));
    assertThat(limit(denied, 1).getLong("remaining")).isEqualTo(997);
  }

  @Test
  void retryAfterIsTheWaitRoundedUpToSeconds() {
    http.check(ANN, 3);
    Answer denied = http.check(ANN);

    long millis = denied.json().getLong("retryAfterMillis");
    assertThat(Long.parseLong(denied.field("Retry-After"))).isEqualTo((millis + 999) / 1000);
  }

  @Test
  void moreThanTheCapacityNeverPasses() {
    Answer denied = http.check(ANN, 4);

    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.json().getValue("retryAfterMillis")).isNull();
    assertThat(denied.field("Retry-After")).isEqualTo("none");
    assertThat(limit(http.check(ANN), 0).getLong("remaining")).isEqualTo(2);
  }

  @Test
  void aRequestThatNoRuleIsForIsAllowedWithoutFields() {
    Answer answer = http.check(Map.of("path", "/elsewhere"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("RateLimit")).isEqualTo("none");
    assertThat(answer.json().getJsonArray("limits")).isEmpty();
  }

  @Test
  void aShadowLimitNeverDeniesAndIsAbsentFromTheFields() {
    Map<String, String> watched = Map.of("path", "/watched", "user", "ann");
    http.check(watched);
    Answer answer = http.check(watched);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("RateLimit")).isEqualTo("none");
    assertThat(limit(answer, 0).getString("mode")).isEqualTo("shadow");
    assertThat(limit(answer, 0).getBoolean("allowed")).isFalse();
  }

  @Test
  void peekDecidesTheSameAndTakesNothing() {
    http.check(ANN, 2);
    assertThat(http.post("/v1/peek", Http.question(ANN, 1)).status()).isEqualTo(200);
    assertThat(http.post("/v1/peek", Http.question(ANN, 2)).status()).isEqualTo(429);
    assertThat(limit(http.check(ANN), 0).getLong("remaining")).isZero();
  }

  @Test
  void chargeTakesEvenWhatIsNotThere() {
    Answer charged = http.post("/v1/charge", Http.question(ANN, 5));

    assertThat(charged.status()).isEqualTo(200);
    assertThat(http.check(ANN).status()).isEqualTo(429);
  }

  @Test
  void explainSaysWhichRulesMatchAndTakesNothing() {
    JsonObject explained = http.post("/v1/explain", Http.question(ANN, 1), ADMIN).json();

    JsonObject first = explained.getJsonArray("rules").getJsonObject(0);
    assertThat(first.getString("rule")).isEqualTo("api");
    assertThat(first.getBoolean("matched")).isTrue();
    assertThat(first.getString("reason")).isEqualTo("path /api/x fits /api/**");
    assertThat(explained.getJsonArray("rules").getJsonObject(1).getBoolean("matched")).isFalse();
    assertThat(limit(http.check(ANN), 0).getLong("remaining")).isEqualTo(2);
  }

  @Test
  void anExplanationOfADenialIsNoDenial() {
    http.check(ANN, 3);
    Answer explained = http.post("/v1/explain", Http.question(ANN, 1), ADMIN);

    assertThat(explained.status()).isEqualTo(200);
    assertThat(explained.json().getBoolean("allowed")).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"attributes\": {}, \"permits\": -3} | permits must be 0 or more, was -3",
        "{\"attributes\": {}, \"permits\": 1.5}"
            + " | permits must be a whole number below 2^63, was \"1.5\"",
        "{\"attributes\": {}, \"permits\": 9223372036854775808}"
            + " | permits must be a whole number below 2^63, was \"9223372036854775808\"",
        "{\"attributes\": {}, \"permits\": \"1\"}"
            + " | permits must be a whole number below 2^63, was \"1\"",
        "{\"permits\": 1} | attributes must be given: an object of names and values",
        "{\"attributes\": []} | attributes must be an object of names and values",
        "{\"attributes\": {\"user\": {}}}"
            + " | attributes.\"user\" must be text, a number, true or false",
        "{\"attributes\": {}, \"permit\": 1}"
            + " | \"permit\" is not known here: expected attributes, permits, id",
        "[] | body must be a JSON object",
        "{\"attributes\": {}} {} | body must be one JSON object and nothing after it",
        "{\"attributes\": {\"a\": \"1\", \"a\": \"2\"}}"
            + " | body must be JSON: a name is given twice, at line 1, column 27",
        "{\"attributes\": {\"a\": null, \"a\": \"2\"}}"
            + " | body must be JSON: a name is given twice, at line 1, column 28",
        "{\"attributes\": {}, \"attributes\": {}}"
            + " | body must be JSON: a name is given twice, at line 1, column 20",
        "{\"attributes\": {\"a\": x}} | body must be JSON: it is malformed, at line 1, column 22",
        "{\"attributes\": {"
            + " | body must be JSON: it ends before the object does, at line 1, column 17",
        "{\"attributes\": {}, \"receipt\": \"api/a=1\"}"
            + " | \"receipt\" is not known here: expected attributes, permits, id",
        "{\"attributes\": {}, \"limit\": \"a\"}"
            + " | \"limit\" is not known here: expected attributes, permits, id",
        "{\"attributes\": {}, \"seconds\": 1}"
            + " | \"seconds\" is not known here: expected attributes, permits, id",
      })
  void aMalformedQuestionIsRefusedWithWhatWasExpected(String body, String detail) {
    Answer answer = http.post("/v1/check", body);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.detail()).isEqualTo(detail);
  }

  @Test
  void everyAnswerHasTheDate() {
    String date = http.check(ANN).field("Date");

    Instant then = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
    assertThat(then).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES));
    assertThat(http.get("/nowhere").field("Date")).endsWith(" GMT");
  }

  @Test
  void theTimeOfAnswersIsAHistogram() {
    http.check(ANN);

    assertThat(http.get("/metrics").body())
        .contains(
            "weir_http_requests_seconds_bucket{call=\"/v1/check\",status=\"2xx\",le=\"1.0\"}");
  }

  @Test
  void anEmptyBodyIsRefused() {
    Answer answer = http.post("/v1/check", "");

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.detail()).isEqualTo("body must be a JSON object");
  }

  @Test
  void numbersAndTruthsAreAttributesByTheirText() {
    String body = "{\"attributes\": {\"path\": \"/api/x\", \"user\": 42}}";
    http.post("/v1/check", body);

    Answer answer = http.check(Map.of("path", "/api/x", "user", "42"));
    assertThat(limit(answer, 0).getLong("remaining")).isEqualTo(1);
  }

  @Test
  void anUnknownCallIsNotFoundAndAWrongMethodSaysWhichIsRight() {
    assertThat(http.get("/v1/chek").status()).isEqualTo(404);
    Answer wrong = http.get("/v1/check");
    assertThat(wrong.status()).isEqualTo(405);
    assertThat(wrong.field("Allow")).isEqualTo("POST");
  }

  @Test
  void headIsAnsweredAsGetIsWithoutABody() {
    String request = "HEAD /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    RawHttp.Answer answer = RawHttp.send(service.server.port(), "127.0.0.1", request);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  private static JsonObject limit(Answer answer, int place) {
    return answer.json().getJsonArray("limits").getJsonObject(place);
  }
}
