package dev.weir.server.http.admin;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.Http;
import dev.weir.server.Http.Answer;
import dev.weir.server.RunningService;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the service shows and lifts penalties. */
final class PenaltyCallsTest {
  private static final Map<String, String> LOGIN = Map.of("path", "/login", "ip", "192.0.2.1");
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login}
          limits:
            - name: tries
              key: ip
              limit: 1 per 10m
              penalty: {after: 2 denials per 10m, block: 15m}
      """;
  private static final String KEY =
      new JsonObject().put("rule", "login").put("limit", "tries").put("key", "192.0.2.1").encode();

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

  @Test
  void aPenaltyIsAnAbnormalUsageWithATrueRetryAfter() {
    Answer blocked = blocked();
    assertThat(blocked.status()).isEqualTo(429);
    assertThat(blocked.json().getString("type"))
        .isEqualTo("https://iana.org/assignments/http-problem-types#abnormal-usage-detected");
    assertThat(blocked.json().getString("title")).isEqualTo("Abnormal Usage Detected");
    assertThat(blocked.json().getString("source")).isEqualTo("penalty");
    assertThat(blocked.json().getJsonArray("violated-policies").getString(0)).isEqualTo("tries");
    assertThat(Long.parseLong(blocked.field("Retry-After"))).isGreaterThan(800);
  }

  @Test
  void explainAndTheMostDeniedKeysShowIt() {
    assertThat(denied().containsKey("penaltyMillis")).isFalse();
    blocked();
    JsonObject explained = http.post("/v1/explain", Http.question(LOGIN, 1), ADMIN).json();
    assertThat(explained.getString("source")).isEqualTo("penalty");
    assertThat(explained.getJsonArray("rules").encode())
        .contains("1 per 10m; after 2 denials per 10m blocked for 15m");
    assertThat(denied().getLong("penaltyMillis")).isBetween(1L, 900_000L);
    JsonObject key = http.post("/dashboard/key", KEY, ADMIN).json();
    assertThat(key.getJsonArray("limits").getJsonObject(0).getBoolean("penalty")).isTrue();
  }

  @Test
  void unblockingLiftsItAndLeavesWhatWasUsed() {
    blocked();
    assertThat(
            http.post("/v1/unblock", new JsonObject(Http.question(LOGIN, 1)).encode(), ADMIN)
                .status())
        .isEqualTo(200);
    assertThat(denied().containsKey("penaltyMillis")).isFalse();
    Answer lifted = http.check(LOGIN);
    assertThat(lifted.status()).isEqualTo(429);
    assertThat(lifted.json().getString("type")).endsWith("#quota-exceeded");
    assertThat(http.check(LOGIN).json().getString("source")).isEqualTo("penalty");
    assertThat(http.post("/dashboard/key/unblock", KEY, ADMIN).status()).isEqualTo(200);
    assertThat(http.check(LOGIN).json().getString("source")).isEqualTo("store");
  }

  /** The answer to the second denial. */
  private Answer blocked() {
    http.check(LOGIN);
    http.check(LOGIN);
    return http.check(LOGIN);
  }

  private JsonObject denied() {
    var keys = http.get("/v1/denied", ADMIN).json().getJsonArray("keys");
    return keys.isEmpty() ? new JsonObject() : keys.getJsonObject(0);
  }
}
