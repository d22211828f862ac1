package dev.weir.server.http.decision;

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

/** How an application tells the service what it responded. */
final class OutcomeCallTest {
  private static final Map<String, String> LOGIN = Map.of("path", "/login", "ip", "192.0.2.1");
  private static final String RULES =
      """
      rules:
        - name: login
          when: {path: /login}
          limits:
            - name: failed
              key: ip
              limit: 2 per hour
              algorithm: fixed-window
              count: {status: [401, 403]}
            - {name: all, key: ip, limit: 100 per hour, algorithm: fixed-window}
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

  @Test
  void loginsThatSucceedAreGivenBackAndFailedOnesCount() {
    for (int i = 0; i < 5; i++) {
      Answer given = outcome(allowed(), 200);
      assertThat(given.status()).isEqualTo(200);
      assertThat(given.json().getJsonArray("givenBack").encode())
          .isEqualTo("[{\"rule\":\"login\",\"name\":\"failed\",\"key\":\"192.0.2.1\"}]");
    }
    assertThat(outcome(allowed(), 401).json().getJsonArray("givenBack")).isEmpty();
    assertThat(outcome(allowed(), 403).json().getJsonArray("givenBack")).isEmpty();
    Answer denied = http.check(LOGIN);
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.json().getJsonArray("violated-policies").getString(0)).isEqualTo("failed");
  }

  @Test
  void untilTheResponseIsKnownTriesAreBoundedByTheLimit() {
    String first = allowed();
    allowed();
    assertThat(http.check(LOGIN).status()).isEqualTo(429);
    outcome(first, 302);
    assertThat(http.check(LOGIN).status()).isEqualTo(200);
    assertThat(http.check(LOGIN).status()).isEqualTo(429);
  }

  @Test
  void anOutcomeThatIsSentAgainGivesNothingBackAgain() {
    String first = allowed();
    allowed();
    for (int i = 0; i < 3; i++) {
      assertThat(outcome(first, 200).json().getJsonArray("givenBack")).hasSize(1);
    }
    assertThat(http.check(LOGIN).status()).isEqualTo(200);
    assertThat(http.check(LOGIN).status()).isEqualTo(429);
    assertThat(outcome(first, 204).status()).isEqualTo(200);
    assertThat(http.check(LOGIN).status()).isEqualTo(429);
  }

  @Test
  void whatIsMissingOrForeignIsRefused() {
    String receipt = allowed();
    assertThat(http.post("/v1/outcome", body(receipt).encode()).detail())
        .isEqualTo("status must be from 100 to 599, was missing");
    assertThat(outcome(receipt, 42).detail()).isEqualTo("status must be from 100 to 599, was 42");
    JsonObject withoutReceipt = new JsonObject(Http.question(LOGIN, 1)).put("status", 200);
    assertThat(http.post("/v1/outcome", withoutReceipt.encode()).detail())
        .isEqualTo("receipt must be given: the one of /v1/check");
    assertThat(outcome("other/limit=1", 200).status()).isEqualTo(400);
    assertThat(outcome(receipt.substring(0, receipt.indexOf(",@")), 200).detail())
        .isEqualTo("receipt must have its id, the part after @");
  }

  private String allowed() {
    Answer allowed = http.check(LOGIN);
    assertThat(allowed.status()).isEqualTo(200);
    return allowed.json().getString("receipt");
  }

  private Answer outcome(String receipt, int status) {
    return http.post("/v1/outcome", body(receipt).put("status", status).encode());
  }

  private static JsonObject body(String receipt) {
    return new JsonObject(Http.question(LOGIN, 1)).put("receipt", receipt);
  }

  @Test
  void noMoreIsGivenBackThanWasTaken() {
    String receipt = allowed();
    allowed();
    JsonObject body = new JsonObject(Http.question(LOGIN, 2)).put("receipt", receipt);
    assertThat(http.post("/v1/outcome", body.put("status", 200).encode()).status()).isEqualTo(200);
    assertThat(http.check(LOGIN).status()).isEqualTo(200);
    assertThat(http.check(LOGIN).status()).isEqualTo(429);
  }

  @Test
  void whatAnOutcomeGaveBackIsNotSettledAgain() {
    String receipt = allowed();
    allowed();
    outcome(receipt, 200);
    assertThat(http.post("/v1/settle", body(receipt).put("permits", 0).encode()).status())
        .isEqualTo(200);
    assertThat(http.check(LOGIN).status()).isEqualTo(200);
    assertThat(http.check(LOGIN).status()).isEqualTo(429);
  }
}
