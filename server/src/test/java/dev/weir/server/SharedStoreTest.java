package dev.weir.server;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.StoreUnavailableException;
import dev.weir.server.Http.Answer;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several instances over one real Redis, and what they do when it is away. */
@Tag("slow")
@Timeout(120)
final class SharedStoreTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");
  private static final Map<String, String> STRICT = Map.of("path", "/strict", "user", "ann");
  private static final Duration SOON = Duration.ofSeconds(15);

  @TempDir Path directory;
  private RedisProcess redis;

  @BeforeEach
  void startRedis() {
    redis = RedisProcess.start();
  }

  @AfterEach
  void stopRedis() {
    redis.close();
  }

  @Test
  void instancesShareOneCount() {
    try (RunningService one = start();
        RunningService other = start()) {
      assertThat(one.http.check(ANN, 2).status()).isEqualTo(200);
      assertThat(other.http.check(ANN).status()).isEqualTo(200);
      assertThat(one.http.check(ANN).status()).isEqualTo(429);
      assertThat(other.http.check(ANN).status()).isEqualTo(429);
    }
  }

  @Test
  void aRefundWithTheReceiptOfAnotherInstanceIsExact() {
    try (RunningService one = start();
        RunningService other = start()) {
      String receipt = one.http.check(ANN, 3).json().getString("receipt");
      String refund =
          Http.question(ANN, 3)
              .replace("{\"attributes", "{\"receipt\":\"" + receipt + "\",\"attributes");
      assertThat(other.http.post("/v1/refund", refund, ADMIN).status()).isEqualTo(200);
      assertThat(one.http.check(ANN, 3).status()).isEqualTo(200);
    }
  }

  @Test
  void aReceiptIsSettledByAnotherInstance() {
    try (RunningService one = start();
        RunningService other = start()) {
      String receipt = one.http.check(ANN, 3).json().getString("receipt");
      String cancel =
          Http.question(ANN, 0)
              .replace("{\"attributes", "{\"receipt\":\"" + receipt + "\",\"attributes");
      assertThat(other.http.post("/v1/settle", cancel).status()).isEqualTo(200);
      assertThat(one.http.check(ANN, 3).status()).isEqualTo(200);
    }
  }

  @Test
  void withoutRedisAnswersAreThoseOfTheFailurePolicyAndRedisIsFoundLater() {
    redis.kill();
    try (RunningService service = start()) {
      Answer allowed = service.http.check(ANN);
      assertThat(allowed.status()).isEqualTo(200);
      assertThat(allowed.json().getString("source")).isEqualTo("fallback");
      assertThat(allowed.field("Weir-Source")).isEqualTo("fallback");
      JsonObject limit = allowed.json().getJsonArray("limits").getJsonObject(0);
      assertThat(limit.getMap())
          .containsEntry("remaining", null)
          .containsEntry("resetAfterMillis", null);

      Answer denied = service.http.check(STRICT);
      assertThat(denied.status()).isEqualTo(503);
      assertThat(denied.json().getString("type")).endsWith("#temporary-reduced-capacity");
      assertThat(service.http.get("/readyz").status()).isEqualTo(200);

      redis.restart();
      await().atMost(SOON).until(() -> service.http.check(STRICT).status() == 200);
    }
  }

  @Test
  void healthReportsThatRedisDoesNotAnswerBeforeTheFirstRequest() {
    String address = "127.0.0.1:" + redis.port();
    try (RunningService service = start()) {
      assertThat(service.http.get("/healthz").json().getString("status")).isEqualTo("up");
      redis.kill();
      await().atMost(SOON).until(() -> degraded(service));
      assertThat(service.http.get("/healthz").json().getJsonArray("warnings").getString(0))
          .startsWith("Redis at " + address);
    }
    try (RunningService later = start()) {
      assertThat(later.http.get("/healthz").json().getJsonArray("warnings").getString(0))
          .startsWith("Redis at " + address + ": ");
      redis.restart();
      await().atMost(SOON).until(() -> !degraded(later));
    }
  }

  @Test
  void aRequiredStoreThatDoesNotAnswerStopsTheStart() {
    redis.kill();
    ServerOptions options = options().requireStore(true);
    assertThatThrownBy(() -> WeirServer.start(options))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("127.0.0.1:" + redis.port());
  }

  @Test
  void aSilentRedisIsSeenInHealthAndMetricsUntilItAnswersAgain() {
    try (RunningService service = start()) {
      redis.suspend();
      await()
          .atMost(SOON)
          .until(
              () -> {
                service.http.check(ANN);
                return !service.http.get("/healthz").json().getJsonArray("silentNodes").isEmpty();
              });
      String node = "127.0.0.1:" + redis.port();
      assertThat(service.http.get("/healthz").json().getJsonArray("silentNodes").getString(0))
          .contains(node);
      assertThat(service.http.get("/metrics").body())
          .containsPattern("weir_breaker_open\\{node=\"[^\"]*" + node + "\"\\} 1.0");

      redis.resume();
      await().atMost(SOON).until(() -> !degraded(service));
    }
  }

  @Test
  void aRedisThatRefusesWritesIsSeenInHealthAndMetricsUntilItTakesThemAgain() {
    try (RunningService service = start()) {
      redis.command("CONFIG", "SET", "maxmemory", "1");
      assertThat(service.http.check(ANN).json().getString("source")).isEqualTo("fallback");
      await().atMost(SOON).until(() -> degraded(service));
      await()
          .atMost(SOON)
          .until(
              () ->
                  service
                      .http
                      .get("/healthz")
                      .json()
                      .getJsonArray("reasons")
                      .encode()
                      .contains("OOM"));
      String metrics = service.http.get("/metrics").body();
      assertThat(metrics).contains("weir_health_degraded 1.0").contains("weir_node_refusing{");

      redis.command("CONFIG", "SET", "maxmemory", "0");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () -> {
                service.http.check(ANN);
                return !degraded(service);
              });
    }
  }

  @Test
  void tooManyWaitingRequestsAreShedWhileHealthStaysTruthful() {
    ServerOptions options = options().maxInFlight(5).deadline(Duration.ofSeconds(2));
    try (RunningService service = RunningService.start(options)) {
      redis.suspend();
      List<CompletableFuture<Integer>> waiting = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        waiting.add(CompletableFuture.supplyAsync(() -> service.http.check(ANN).status()));
      }
      await()
          .atMost(SOON)
          .until(
              () ->
                  service
                      .http
                      .get("/metrics")
                      .body()
                      .matches("(?s).*weir_http_shed_total [1-9].*"));
      assertThat(service.http.get("/healthz").status()).isEqualTo(200);

      redis.resume();
      List<Integer> statuses = waiting.stream().map(CompletableFuture::join).toList();
      assertThat(statuses).contains(503).containsOnly(200, 429, 503);
      await()
          .atMost(SOON)
          .until(() -> service.http.get("/healthz").json().getInteger("inFlight") == 0);
    }
  }

  @Test
  void aLongerDeadlineIsWaitedFor() {
    try (RunningService service = RunningService.start(options().deadline(Duration.ofSeconds(5)))) {
      redis.suspend();
      CompletableFuture<Answer> waiting =
          CompletableFuture.supplyAsync(() -> service.http.check(ANN));
      Duration beyondTheUsual = Duration.ofMillis(600);
      await().during(beyondTheUsual).atMost(SOON).until(() -> !waiting.isDone());

      redis.resume();
      assertThat(waiting.join().json().getString("source")).isEqualTo("store");
    }
  }

  @Test
  void administratorsAreNotShed() {
    ServerOptions options = options().maxInFlight(1).deadline(Duration.ofSeconds(2));
    try (RunningService service = RunningService.start(options)) {
      redis.suspend();
      CompletableFuture<Answer> waiting =
          CompletableFuture.supplyAsync(() -> service.http.check(ANN));
      await()
          .atMost(SOON)
          .until(() -> service.http.get("/healthz").json().getInteger("inFlight") > 0);

      assertThat(service.http.put("/v1/kill-switch", "", ADMIN).status()).isEqualTo(200);
      assertThat(service.http.put("/v1/rules", RunningService.RULES, ADMIN).status())
          .isEqualTo(200);
      redis.resume();
      waiting.join();
    }
  }

  @Test
  void rulesGivenToOneInstanceAreFollowedByAll() {
    try (RunningService one = RunningService.start(options().sharedRules(true));
        RunningService other = RunningService.start(options().sharedRules(true))) {
      String raised = RunningService.RULES.replace("3 per hour", "5 per hour");
      assertThat(one.http.put("/v1/rules", raised, ADMIN).status()).isEqualTo(200);

      await()
          .atMost(SOON)
          .until(() -> other.http.get("/v1/rules", ADMIN).body().contains("5 per hour"));
    }
  }

  @Test
  void theKillSwitchAndBlocksOfOneInstanceReachAll() {
    try (RunningService one = start();
        RunningService other = start()) {
      one.http.post("/v1/block", Http.question(ANN, 1), ADMIN);
      await().atMost(SOON).until(() -> other.http.check(ANN).status() == 429);

      Answer killed = other.http.put("/v1/kill-switch", "", ADMIN);
      assertThat(killed.json().getBoolean("everywhere")).isTrue();
      await().atMost(SOON).until(() -> one.http.check(ANN).status() == 200);
      assertThat(one.http.get("/v1/switches", ADMIN).json().getJsonArray("blocks")).hasSize(2);
    }
  }

  @Test
  void theKillSwitchWorksHereDuringAnOutageAndReportsThatItIsNotPublished() {
    try (RunningService service = start()) {
      redis.kill();
      Answer killed = service.http.put("/v1/kill-switch", "", ADMIN);

      assertThat(killed.status()).isEqualTo(200);
      assertThat(killed.json().getBoolean("killSwitch")).isTrue();
      assertThat(killed.json().getBoolean("everywhere")).isFalse();
      assertThat(service.http.check(STRICT).status()).isEqualTo(200);
    }
  }

  @Test
  void thePasswordOfTheStoreIsShownNowhere() {
    redis.command("CONFIG", "SET", "requirepass", "pass-word");
    String store = "redis://:pass-word@127.0.0.1:" + redis.port();
    String rules = "store: " + store + "\n" + RunningService.RULES;
    ServerOptions options =
        RunningService.options(directory).config(List.of(RunningService.rules(directory, rules)));
    try (RunningService service = RunningService.start(options)) {
      assertThat(service.http.check(ANN).json().getString("source")).isEqualTo("store");
      for (String path : List.of("/healthz", "/v1/rules", "/metrics")) {
        assertThat(service.http.get(path).body()).as(path).doesNotContain("pass-word");
      }
      assertThat(service.server.store()).isEqualTo("redis://***@127.0.0.1:" + redis.port());
      FaultReport.row(
          "63 password of the store in the rules", 4, "works; shown in no answer and no name");
    }
  }

  private static boolean degraded(RunningService service) {
    return service.http.get("/healthz").json().getString("status").equals("degraded");
  }

  private RunningService start() {
    return RunningService.start(options());
  }

  private ServerOptions options() {
    return RunningService.options(directory).store(redis.uri());
  }
}
