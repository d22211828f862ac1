package dev.weir.server.dashboard;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.Http.Answer;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.testkit.RedisProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the page is made of, and who may see and do what there. */
final class DashboardCallsTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann@example");
  private static final String KEY =
      "{\"rule\":\"api\",\"limit\":\"user-hour\",\"key\":\"ann@example\"}";

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
  void browsersGetThePageAndOthersTheText() {
    Answer page = http.get("/", "Accept", "text/html,application/xhtml+xml,*/*;q=0.8");
    assertThat(page.field("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.field("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(http.get("/").body()).startsWith("Weir answers here.");
    assertThat(http.get("/", "Accept", "*/*").body()).startsWith("Weir answers here.");
  }

  @Test
  void everyFileThatThePageNamesIsServedAndNothingComesFromElsewhere() {
    String page = http.get("/", "Accept", "text/html").body();
    assertThat(page).doesNotContain("http://", "https://", "style=", "onclick=");
    for (String file : new String[] {"style.css", "chart.js", "main.js", "live.js", "rules.js"}) {
      Answer answer = http.get("/dashboard/" + file);
      assertThat(answer.status()).as(file).isEqualTo(200);
      assertThat(answer.body()).as(file).isNotBlank();
      assertThat(http.get("/dashboard/" + file, "If-None-Match", answer.field("ETag")).status())
          .isEqualTo(304);
    }
  }

  @Test
  @Tag("slow") // instances beat every five seconds
  void otherInstancesOnTheSameRedisAreNamedAndInMemoryThereAreNone() {
    assertThat(http.get("/dashboard/live").json().getJsonArray("others")).isEmpty();
    try (RedisProcess redis = RedisProcess.start();
        RunningService one = RunningService.start(options(redis))) {
      try (RunningService other = RunningService.start(options(redis))) {
        await().atMost(Duration.ofSeconds(30)).until(() -> others(one).size() == 1);
        await().atMost(Duration.ofSeconds(30)).until(() -> others(other).size() == 1);
        assertThat(others(one).getString(0)).isEqualTo(InstanceName.current());
      }
      await().atMost(Duration.ofSeconds(30)).until(() -> others(one).isEmpty());
    }
  }

  private ServerOptions options(RedisProcess redis) {
    return RunningService.options(directory).store(redis.uri());
  }

  private static JsonArray others(RunningService service) {
    return service.http.get("/dashboard/live").json().getJsonArray("others");
  }

  @Test
  void thePageIsOnThePortOfAdministratorsAlone() {
    ServerOptions options = RunningService.options(directory).adminPort(0);
    try (RunningService apart = RunningService.start(options)) {
      Http admin = new Http(apart.server.adminPort());
      assertThat(admin.get("/", "Accept", "text/html").body()).startsWith("<!doctype html>");
      assertThat(apart.http.get("/", "Accept", "text/html").body()).startsWith("Weir answers");
      assertThat(apart.http.get("/dashboard/live").status()).isEqualTo(404);
    }
  }

  @Test
  void decisionsAppearWithinSeconds() {
    deny();
    JsonObject live = awaitLive("limits");
    assertThat(live.getString("status")).isEqualTo("up");
    JsonObject limit = live.getJsonArray("limits").getJsonObject(0);
    assertThat(limit.getString("rule")).isEqualTo("api");
    assertThat(limit.getString("limit")).isEqualTo("user-hour");
    assertThat(limit.getString("rate")).isEqualTo("3 per hour");
    assertThat(sum(live, "allowed")).isEqualTo(3);
    assertThat(sum(live, "denied")).isEqualTo(2);
    long last = live.getJsonObject("seconds").getLong("first");
    assertThat(live(last + 1_000_000).getJsonObject("seconds").getJsonArray("allowed")).isEmpty();
  }

  @Test
  void keysAreMaskedUnlessAnAdministratorLooks() {
    deny();
    JsonObject everybody = awaitLive("topDenied");
    assertThat(everybody.getString("access")).isEqualTo("NEEDS_TOKEN");
    assertThat(everybody.encode()).doesNotContain("ann");
    assertThat(everybody.getJsonArray("topDenied").getJsonObject(0).getString("key"))
        .matches("key-[0-9a-f]{8}");
    JsonObject wrong = http.get("/dashboard/live", "Authorization", "Bearer guess").json();
    assertThat(wrong.getString("access")).isEqualTo("WRONG_TOKEN");
    assertThat(wrong.encode()).doesNotContain("ann");
    JsonObject admin = http.get("/dashboard/live", ADMIN).json();
    assertThat(admin.getJsonArray("topDenied").getJsonObject(0).getString("key"))
        .isEqualTo("ann@example");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /dashboard/key",
    "POST, /dashboard/key/reset",
    "POST, /dashboard/key/block",
    "POST, /dashboard/key/unblock",
    "POST, /dashboard/try",
    "POST, /dashboard/candidate",
    "PUT, /dashboard/mode?rule=api&mode=shadow",
    "GET, /dashboard/rules",
    "GET, /dashboard/audit"
  })
  void whatShowsKeysOrRulesOrChangesAnythingNeedsTheTokenInItsField(String method, String path) {
    assertThat(http.send(method, path, "{}").status()).isEqualTo(401);
    String cookie = "token=" + RunningService.TOKEN;
    assertThat(http.send(method, path, "{}", "Cookie", cookie).status()).isEqualTo(401);
  }

  @Test
  void aKeyIsLookedUpResetBlockedAndUnblockedAndTheTrailSaysSo() {
    deny();
    JsonObject state = state();
    assertThat(state.getBoolean("allowed")).isFalse();
    assertThat(state.getLong("remaining")).isZero();
    assertThat(state.getLong("retryAfterMillis")).isBetween(1L, 3_600_000L);
    assertThat(http.post("/dashboard/key/reset", KEY, ADMIN).status()).isEqualTo(200);
    assertThat(http.check(ANN).status()).isEqualTo(200);
    assertThat(state().getLong("remaining")).isEqualTo(2);
    http.post("/dashboard/key/block", KEY.replace("}", ",\"seconds\":60}"), ADMIN);
    assertThat(http.check(ANN).status()).isEqualTo(429);
    assertThat(state().getBoolean("blocked")).isTrue();
    http.post("/dashboard/key/unblock", KEY, ADMIN);
    assertThat(http.check(ANN).status()).isEqualTo(200);
    assertThat(actions())
        .containsExactly(
            "unblocked a key in api/user-hour",
            "blocked a key in api/user-hour for 60 s",
            "reset a key in api/user-hour");
  }

  @Test
  void whatAdministratorsDoElsewhereIsInTheTrailToo() {
    http.put("/v1/kill-switch", "", ADMIN);
    http.send("DELETE", "/v1/kill-switch", "", ADMIN);
    http.post("/v1/reset", Http.question(ANN, 1), ADMIN);
    http.put(
        "/v1/rules", "rules: [{name: x, limits: [{name: y, key: ip, limit: 1 per day}]}]", ADMIN);
    assertThat(actions())
        .containsExactly(
            "replaced the rules",
            "reset in user-hour, all-hour",
            "switched the kill switch off",
            "switched the kill switch on");
  }

  @Test
  void malformedQuestionsAboutKeysAreRefused() {
    for (String body : new String[] {"", "[]", "{", "{\"key\":1}", "{}"}) {
      assertThat(http.post("/dashboard/key", body, ADMIN).status()).as(body).isEqualTo(400);
    }
    String unknown = KEY.replace("user-hour", "other");
    assertThat(http.post("/dashboard/key/reset", unknown, ADMIN).detail())
        .isEqualTo("there is no such rule and limit");
    for (String seconds : new String[] {"0", "-1", "\"x\"", "1e99", "99999999999"}) {
      String body = KEY.replace("}", ",\"seconds\":" + seconds + "}");
      assertThat(http.post("/dashboard/key/block", body, ADMIN).status()).as(body).isEqualTo(400);
    }
    String tooLong = KEY.replace("}", ",\"seconds\":99999999999}");
    assertThat(http.post("/dashboard/key/block", tooLong, ADMIN).detail())
        .isEqualTo("seconds must be between 1 and 316224000, was 99999999999");
    assertThat(http.get("/dashboard/live?after=-1").status()).isEqualTo(400);
  }

  @Test
  void aRequestIsTriedWithoutTakingAnything() {
    String question = Http.question(ANN, 2);
    for (int i = 0; i < 3; i++) {
      JsonObject tried = http.post("/dashboard/try", question, ADMIN).json();
      assertThat(tried.getInteger("status")).isEqualTo(200);
      assertThat(tried.getJsonArray("fields").toString()).contains("RateLimit-Policy");
      assertThat(tried.getJsonArray("rules").getJsonObject(0).getBoolean("matched")).isTrue();
    }
    http.post("/dashboard/try?take=true", question, ADMIN);
    JsonObject denied = http.post("/dashboard/try", question, ADMIN).json();
    assertThat(denied.getInteger("status")).isEqualTo(429);
    assertThat(denied.getJsonArray("fields").toString()).contains("Retry-After");
  }

  @Test
  void aCandidateIsCheckedAndTriedAndChangesNothing() {
    deny();
    JsonObject refused = candidate("rules:\n  - name: api\n    limit: 3\n");
    assertThat(refused.getJsonArray("faults").getJsonObject(0).getInteger("line")).isBetween(2, 3);
    assertThat(http.get("/healthz").json().getString("status")).isEqualTo("up");
    JsonObject taken = candidate(RunningService.RULES.replace("3 per hour", "1 per hour"));
    assertThat(taken.getJsonArray("faults")).isEmpty();
    JsonObject whatIf = taken.getJsonObject("whatIf");
    assertThat(whatIf.getInteger("requests")).isEqualTo(5);
    assertThat(whatIf.getInteger("newlyDenied")).isEqualTo(2);
    assertThat(whatIf.getJsonArray("keys").getJsonObject(0).getString("key"))
        .isEqualTo("ann@example");
    assertThat(http.get("/healthz").json().getInteger("rulesVersion")).isEqualTo(1);
  }

  @Test
  void aRuleIsSetToShadowAndBackAndItsPlaceIsShown() {
    JsonObject rule = rule();
    assertThat(rule.getString("place")).endsWith("rules.yaml:2");
    http.put("/dashboard/mode?rule=api&mode=shadow", "", ADMIN);
    deny();
    assertThat(http.check(ANN).status()).isEqualTo(200);
    assertThat(rule().getJsonArray("limits").getJsonObject(0).getString("mode"))
        .isEqualTo("shadow");
    http.put("/dashboard/mode?rule=api&mode=enforce", "", ADMIN);
    assertThat(http.check(ANN).status()).isEqualTo(429);
    assertThat(http.put("/dashboard/mode?rule=none&mode=shadow", "", ADMIN).status())
        .isEqualTo(400);
    assertThat(http.put("/dashboard/mode?rule=api&mode=quota", "", ADMIN).status()).isEqualTo(400);
  }

  @Test
  void limitsAreShownAsTheRuleFileWritesThem() {
    String limits = "[{name: slots, key: ip, limit: 10 at once, hold: 30s}, {name: month, key: ip,";
    String month = " limit: 5000 per month in Europe/Berlin, algorithm: fixed-window}]";
    http.put("/v1/rules", "rules: [{name: x, limits: " + limits + month + "}]", ADMIN);
    assertThat(rule().getJsonArray("limits").stream())
        .extracting(limit -> ((JsonObject) limit).getString("rate"))
        .containsExactly("10 at once", "5000 per month in Europe/Berlin");
  }

  /** Three that are allowed, two that are denied. */
  private void deny() {
    for (int i = 0; i < 5; i++) {
      http.check(ANN);
    }
  }

  private JsonObject rule() {
    return http.get("/dashboard/rules", ADMIN).json().getJsonArray("rules").getJsonObject(0);
  }

  private JsonObject candidate(String yaml) {
    return http.post("/dashboard/candidate?what-if=true", yaml, ADMIN).json();
  }

  private List<String> actions() {
    return http.get("/dashboard/audit", ADMIN).json().getJsonArray("entries").stream()
        .map(entry -> ((JsonObject) entry).getString("action"))
        .toList();
  }

  private JsonObject state() {
    Answer answer = http.post("/dashboard/key", "{\"key\":\"ann@example\"}", ADMIN);
    return answer.json().getJsonArray("limits").stream()
        .map(JsonObject.class::cast)
        .filter(limit -> limit.getString("limit").equals("user-hour"))
        .findFirst()
        .orElseThrow();
  }

  private JsonObject live(long after) {
    return http.get("/dashboard/live?after=" + after).json();
  }

  /** The first answer in which a list is filled and all five decisions are in the history. */
  private JsonObject awaitLive(String list) {
    return await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> live(0),
            live ->
                !live.getJsonArray(list).isEmpty()
                    && sum(live, "allowed") + sum(live, "denied") == 5);
  }

  private static long sum(JsonObject live, String kind) {
    JsonArray counts = live.getJsonObject("seconds").getJsonArray(kind);
    return counts.stream().mapToLong(count -> ((Number) count).longValue()).sum();
  }
}
