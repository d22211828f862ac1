package dev.weir.server.http.admin;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.rules.RuleStatus;
import dev.weir.server.Http;
import dev.weir.server.Http.Answer;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.testkit.FaultReport;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The calls for administrators, and who gets to make them. */
final class AdminCallsTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");
  private static final String ASK_ANN = Http.question(ANN, 1);

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

  @ParameterizedTest
  @CsvSource({
    "POST, /v1/refund",
    "POST, /v1/reset",
    "POST, /v1/block",
    "POST, /v1/unblock",
    "PUT, /v1/rules",
    "DELETE, /v1/rules",
    "GET, /v1/rules/refused",
    "GET, /v1/rules",
    "POST, /v1/explain",
    "PUT, /v1/kill-switch",
    "DELETE, /v1/kill-switch",
    "GET, /v1/switches",
    "GET, /v1/denied"
  })
  void withoutTheTokenNothingIsAdministered(String method, String path) {
    Answer none = http.send(method, path, ASK_ANN);
    assertThat(none.status()).isEqualTo(401);
    assertThat(none.field("WWW-Authenticate")).isEqualTo("Bearer realm=\"weir\"");
    Answer wrong =
        http.send(method, path, ASK_ANN, "Authorization", "Bearer open-sesame-open-sesam");
    assertThat(wrong.status()).isEqualTo(401);
  }

  @Test
  void withoutATokenConfiguredThereAreNoAdministrators() {
    ServerOptions options =
        new ServerOptions()
            .host("127.0.0.1")
            .port(0)
            .drain(Duration.ZERO)
            .config(RunningService.options(directory).config());
    try (RunningService open = RunningService.start(options)) {
      Answer answer = open.http.put("/v1/kill-switch", "", ADMIN);
      assertThat(answer.status()).isEqualTo(403);
      assertThat(answer.detail())
          .isEqualTo("administration is disabled: no admin token is configured");
    }
  }

  @Test
  void hintsComeWithRulesThatAreTakenAndWithThoseThatAreRefused() {
    String rules =
        "rules: [{name: a, when: {Path: /x}, limits: [{name: b, key: ip, limit: 1 per day}]}]";
    String hint =
        ":1:26: hint: attribute \"Path\" is another than \"path\"; did you mean \"path\"?";
    Answer taken = http.put("/v1/rules", rules, ADMIN);
    assertThat(taken.status()).isEqualTo(200);
    assertThat(taken.json().getJsonArray("hints")).hasSize(1);
    assertThat(taken.json().getJsonArray("hints").getString(0)).endsWith(hint);
    Answer refused = http.put("/v1/rules", rules.replace("1 per day", "1 per da"), ADMIN);
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.detail()).contains("did you mean \"day\"?").endsWith(hint);
    assertThat(http.put("/v1/rules", rules.replace("Path", "path"), ADMIN).json().getMap())
        .containsOnlyKeys("rules");
  }

  @Test
  void aRefundWithTheReceiptGivesBackWhatTheDecisionTook() {
    String receipt = http.check(ANN, 3).json().getString("receipt");
    JsonObject refund = new JsonObject(Http.question(ANN, 3)).put("receipt", receipt);
    assertThat(http.check(ANN).status()).isEqualTo(429);

    Answer refunded = http.post("/v1/refund", refund.encode(), ADMIN);

    assertThat(refunded.status()).isEqualTo(200);
    assertThat(refunded.json().getJsonArray("limits")).hasSize(2);
    assertThat(http.check(ANN, 3).status()).isEqualTo(200);
  }

  @Test
  void aRefundWithoutAReceiptCreditsTheCurrentWindow() {
    http.check(ANN, 3);
    http.post("/v1/refund", Http.question(ANN, 2), ADMIN);

    assertThat(http.check(ANN, 2).status()).isEqualTo(200);
    assertThat(http.check(ANN).status()).isEqualTo(429);
  }

  @Test
  void aReceiptOfOtherAttributesIsRefused() {
    JsonObject refund = new JsonObject(ASK_ANN).put("receipt", "strict/per-user=1");

    Answer answer = http.post("/v1/refund", refund.encode(), ADMIN);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.detail())
        .isEqualTo("receipt must be of these attributes, was \"strict/per-user=1\"");
  }

  @Test
  void aResetForgetsWhatTheKeyHasUsedInTheNamedLimitOnly() {
    http.check(ANN, 3);
    JsonObject reset = new JsonObject(ASK_ANN).put("limit", "user-hour");

    http.post("/v1/reset", reset.encode(), ADMIN);

    JsonObject after = http.check(ANN).json();
    assertThat(remaining(after, 0)).isEqualTo(2);
    assertThat(remaining(after, 1)).isEqualTo(996);
  }

  @Test
  void aBlockedKeyIsDeniedUntilItIsUnblockedAndOthersAreNot() {
    JsonObject block = new JsonObject(ASK_ANN).put("limit", "user-hour").put("seconds", 3600);
    assertThat(http.post("/v1/block", block.encode(), ADMIN).status()).isEqualTo(200);

    Answer denied = http.check(ANN);
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.json().getValue("retryAfterMillis")).isNull();
    assertThat(denied.field("RateLimit")).isEqualTo("\"user-hour\";r=0, \"all-hour\";r=1000;t=0");
    assertThat(http.check(Map.of("path", "/api/x", "user", "bob")).status()).isEqualTo(200);
    assertThat(http.get("/v1/switches", ADMIN).json().getJsonArray("blocks")).hasSize(1);

    http.post("/v1/unblock", ASK_ANN, ADMIN);
    assertThat(http.check(ANN).status()).isEqualTo(200);
  }

  @Test
  void aBlockThatNoLimitAppliesToIsRefused() {
    Answer answer = http.post("/v1/block", Http.question(Map.of("path", "/x"), 1), ADMIN);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.detail())
        .isEqualTo("no limit applies to these attributes; /v1/explain says why");
  }

  @Test
  void aBlockOfALimitThatIsMisspeltNamesTheLimitsThereAre() {
    JsonObject block = new JsonObject(ASK_ANN).put("limit", "user-hours");

    for (String call : List.of("/v1/block", "/v1/unblock", "/v1/reset")) {
      Answer answer = http.post(call, block.encode(), ADMIN);

      assertThat(answer.status()).isEqualTo(400);
      assertThat(answer.detail())
          .isEqualTo(
              "limit must be one that applies to these attributes: user-hour, all-hour;"
                  + " was \"user-hours\"; did you mean \"user-hour\"?");
    }
  }

  @Test
  void theKillSwitchAllowsEverythingAndShows() {
    http.check(ANN, 3);
    http.put("/v1/kill-switch", "", ADMIN);

    Answer answer = http.check(ANN);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.field("Weir-Kill-Switch")).isEqualTo("on");
    assertThat(http.get("/healthz").json().getString("status")).isEqualTo("degraded");
    assertThat(http.get("/metrics").body()).contains("weir_kill_switch 1.0");

    http.send("DELETE", "/v1/kill-switch", "", ADMIN);
    assertThat(http.check(ANN).status()).isEqualTo(429);
  }

  @Test
  void nothingIsChargedWhileTheKillSwitchIsOn() {
    http.put("/v1/kill-switch", "", ADMIN);
    http.post("/v1/charge", Http.question(ANN, 3), ADMIN);
    http.send("DELETE", "/v1/kill-switch", "", ADMIN);

    assertThat(http.check(ANN, 3).status()).isEqualTo(200);
  }

  @Test
  void rulesAreReplacedWholeAndKeepWhatWasUsed() {
    http.check(ANN, 3);
    String raised = RunningService.RULES.replace("3 per hour", "5 per hour");

    Answer answer = http.put("/v1/rules", raised, ADMIN);

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("{\"rules\":[\"api\",\"strict\",\"watched\"]}\n");
    assertThat(http.check(ANN, 2).status()).isEqualTo(200);
    assertThat(http.check(ANN).status()).isEqualTo(429);
    assertThat(http.get("/v1/rules", ADMIN).body()).contains("limit: 5 per hour");
  }

  @Test
  void deletedRulesGiveWayToThoseOfTheFiles() {
    String before = http.get("/healthz").json().getString("rulesHash");
    http.put("/v1/rules", RunningService.RULES.replace("3 per hour", "5 per hour"), ADMIN);
    JsonObject put = http.get("/healthz").json();
    assertThat(put.getString("rulesSource")).isEqualTo("http");
    assertThat(put.getString("rulesHash")).isNotEqualTo(before);

    Answer deleted = http.send("DELETE", "/v1/rules", "", ADMIN);

    assertThat(deleted.body()).isEqualTo("{\"rules\":[\"api\",\"strict\",\"watched\"]}\n");
    assertThat(http.get("/v1/rules", ADMIN).body()).contains("limit: 3 per hour");
    JsonObject after = http.get("/healthz").json();
    assertThat(after.getString("rulesSource")).isEqualTo("files");
    assertThat(after.getString("rulesHash")).isEqualTo(before);
    assertThat(http.get("/metrics").body())
        .containsOnlyOnce("weir_rules_info{")
        .contains("weir_rules_info{hash=\"" + before + "\",source=\"files\"} 1");
  }

  @Test
  void rulesWithFaultsAreRefusedWithEveryPlaceAndTheOldOnesStay() {
    String faulty = "rules:\n  - name: a\n    limit: []\n  - name: a\n    limits: []\n";

    Answer answer = http.put("/v1/rules", faulty, ADMIN);

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.detail()).contains("rules:2:5: ").contains("rules:4:");
    assertThat(http.get("/v1/rules", ADMIN).body()).contains("user-hour");
    JsonObject health = http.get("/healthz").json();
    assertThat(health.getString("status")).isEqualTo("degraded");
    assertThat(health.getInstant("rulesRefusedAt")).isBefore(Instant.now());
    assertThat(health.encode()).doesNotContain("rules:2:5").doesNotContain("unknown");
    JsonObject refused = http.get("/v1/rules/refused", ADMIN).json();
    assertThat(refused.getJsonArray("faults").getString(0)).startsWith("rules:2:5: ");
    assertThat(refused.getInstant("at")).isEqualTo(health.getInstant("rulesRefusedAt"));
    assertThat(http.get("/metrics").body()).contains("weir_rules_refused 1.0");
    FaultReport.row(
        "72 faulty rules", 1, "health says when, without content; administrators see the places");
  }

  @Test
  void rulesAreReadBesideTheEventLoopsSoThatNoDecisionWaits() {
    AtomicReference<String> reader = new AtomicReference<>("nobody");
    Logger log = Logger.getLogger(RuleStatus.class.getName());
    log.setFilter(
        line -> { // on the thread that has read them
          reader.set(Thread.currentThread().getName());
          return true;
        });
    http.put("/v1/rules", "rules: []\n", ADMIN);
    log.setFilter(null);
    assertThat(reader.get()).startsWith("weir-slow-work");
  }

  @Test
  void theKeysThatAreDeniedMostAreShownWithTheMostDeniedFirst() {
    http.check(ANN, 3);
    for (int i = 0; i < 3; i++) {
      http.check(ANN);
    }
    http.check(Map.of("path", "/api/x", "user", "bob"), 4);

    JsonObject first =
        http.get("/v1/denied?top=1", ADMIN).json().getJsonArray("keys").getJsonObject(0);

    assertThat(first.getString("key")).isEqualTo("ann");
    assertThat(first.getString("limit")).isEqualTo("user-hour");
    assertThat(first.getLong("denials")).isEqualTo(3);
  }

  private static long remaining(JsonObject decision, int place) {
    return decision.getJsonArray("limits").getJsonObject(place).getLong("remaining");
  }
}
