package dev.weir.server.hostile;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.server.ServerOptions;
import dev.weir.testkit.FaultReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is shown to whom, and on which port. */
@Tag("slow")
final class ExposureTest {
  private static final String QUESTION = Http.question(Map.of("path", "/api/x", "user", "ann"), 1);

  @TempDir Path directory;

  @Test
  void rulesAndExplanationsAreForAdministratorsUnlessOpened() {
    try (RunningService service = RunningService.start(directory)) {
      assertThat(service.http.get("/v1/rules").status()).isEqualTo(401);
      assertThat(service.http.post("/v1/explain", QUESTION).status()).isEqualTo(401);
      assertThat(service.http.get("/v1/rules", ADMIN).body()).contains("user-hour");
      assertThat(service.http.post("/v1/explain", QUESTION, ADMIN).status()).isEqualTo(200);
    }
    ServerOptions open = RunningService.options(directory).openExplain(true);
    try (RunningService service = RunningService.start(open)) {
      assertThat(service.http.get("/v1/rules").body()).contains("user-hour");
      assertThat(service.http.post("/v1/explain", QUESTION).status()).isEqualTo(200);
      assertThat(service.http.put("/v1/rules", "rules: []").status()).isEqualTo(401);
    }
  }

  @Test
  void aDemonstrationExplainsToWhoeverIsOnThisMachine() {
    ServerOptions sample = new ServerOptions().host("127.0.0.1").port(0).drain(Duration.ZERO);
    try (RunningService demo = RunningService.start(sample)) {
      assertThat(demo.http.post("/v1/explain", QUESTION).status()).isEqualTo(200);
      assertThat(demo.http.get("/v1/rules").status()).isEqualTo(200);
    }
  }

  @Test
  void ofManyRulesAnExplanationShowsSome() {
    StringBuilder rules = new StringBuilder("rules:\n");
    for (int i = 0; i < 5000; i++) {
      rules
          .append("  - {name: r" + i + ", when: {path: /p" + i + "}, limits: ")
          .append("[{name: l, key: user, limit: 1 per hour}]}\n");
    }
    rules.append(RunningService.RULES.substring("rules:\n".length()));
    try (RunningService service = RunningService.start(directory)) {
      assertThat(service.http.put("/v1/rules", rules.toString(), ADMIN).status()).isEqualTo(200);
      Http.Answer answer = service.http.post("/v1/explain", QUESTION, ADMIN);
      assertThat(answer.json().getJsonArray("rules")).hasSize(1001);
      assertThat(answer.json().getInteger("rulesLeftOut")).isEqualTo(4002);
      assertThat(answer.json().getJsonArray("rules").getJsonObject(0).getString("rule"))
          .isEqualTo("api");
      FaultReport.row(
          "73 explanation over 5003 rules",
          1,
          "1001 of them shown, in " + answer.body().length() / 1024 + " KiB");
    }
  }

  @Test
  void healthShowsNothingOfFaultyRulesNorOfAFileThatWasTakenForOverrides() throws IOException {
    Files.writeString(directory.resolve("token"), "- hunter2");
    String limit = "{name: b, key: user, limit: 1 per day, overrides-file: token}";
    List<String> faulty =
        List.of(
            "store: redis://:hunter2@host\nrulez: []\n",
            "store: \"redis://:hunter2@host\n" + RunningService.RULES,
            "store: [redis://:hunter2@host]\n" + RunningService.RULES,
            "hunter2: redis\n" + RunningService.RULES,
            "rules: [{name: a, limits: [" + limit + "]}]\n");
    for (String rules : faulty) {
      try (RunningService service = RunningService.start(directory)) {
        RunningService.rules(directory, rules);
        await()
            .atMost(Duration.ofSeconds(20))
            .until(() -> service.http.get("/healthz").json().getValue("rulesRefusedAt") != null);
        assertThat(service.http.get("/healthz").body()).doesNotContain("hunter2");
        assertThat(service.http.get("/metrics").body()).doesNotContain("hunter2");
        assertThat(service.http.get("/v1/rules/refused").status()).isEqualTo(401);
      }
    }
    FaultReport.row(
        "72 faulty rules with passwords, a foreign file as overrides",
        faulty.size(),
        "refused; no content in health and metrics");
  }

  @Test
  void withAPortOfTheirOwnAdministratorsAndMetricsAreServedThereAndNowhereElse() {
    ServerOptions apart = RunningService.options(directory).adminPort(0);
    try (RunningService service = RunningService.start(apart)) {
      Http admin = new Http(service.server.adminPort());
      assertThat(service.server.adminPort()).isNotEqualTo(service.server.port());
      for (String path : new String[] {"/metrics", "/v1/rules", "/v1/switches", "/v1/denied"}) {
        assertThat(service.http.get(path, ADMIN).status()).as(path).isEqualTo(404);
        assertThat(admin.get(path, ADMIN).status()).as(path).isEqualTo(200);
      }
      assertThat(service.http.post("/v1/check", QUESTION).status()).isEqualTo(200);
      assertThat(admin.post("/v1/check", QUESTION).status()).isEqualTo(404);
      assertThat(service.http.get("/readyz").status()).isEqualTo(200);
      assertThat(admin.get("/readyz").status()).isEqualTo(200);
    }
  }

  @Test
  void aTokenThatCanBeGuessedIsRefusedAtTheStart() {
    assertThatThrownBy(() -> new ServerOptions().adminToken("a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "admin token must have at least 16 characters, had 1; openssl rand -hex 32 makes one");
  }
}
