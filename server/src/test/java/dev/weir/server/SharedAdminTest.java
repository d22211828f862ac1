package dev.weir.server;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http.Answer;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What administrators change on one instance of several, whatever Redis does meanwhile. */
@Tag("slow")
@Timeout(120)
final class SharedAdminTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");
  private static final Map<String, String> BOB = Map.of("path", "/api/x", "user", "bob");
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir Path directory;
  private RedisProcess redis;

  @BeforeEach
  void startRedis() {
    redis = SERVERS.redis();
  }

  @Test
  void aChangeSaysThatItCountsOnAllInstances() {
    try (RunningService one = start()) {
      Answer killed = one.http.put("/v1/kill-switch", "", ADMIN);
      assertThat(killed.json().getBoolean("everywhere")).isTrue();
      assertThat(killed.json().getString("where")).isEqualTo("all instances");
    }
  }

  @Test
  void whatIsChangedWhileRedisIsDownIsKeptAndPublishedWhenItIsBack() {
    try (RunningService one = start();
        RunningService other = start()) {
      block(one, BOB);
      await().atMost(SOON).until(() -> blocks(other) == 2);
      redis.kill();

      Answer blocked = block(one, ANN);
      assertThat(blocked.json().getBoolean("everywhere")).isFalse();
      assertThat(blocked.json().getString("where"))
          .isEqualTo("this instance; the others when Redis answers again");
      assertThat(one.http.check(ANN).status()).isEqualTo(429);
      one.http.put("/v1/kill-switch", "", ADMIN);
      assertThat(one.http.check(ANN).status()).isEqualTo(200);
      assertThat(health(one).getJsonArray("reasons"))
          .anyMatch(reason -> reason.toString().contains("changes by administrators wait"));

      redis.restart();
      long restarted = System.nanoTime();
      await().atMost(SOON).until(() -> blocks(other) == 3 && isKilled(other));
      Duration published = Duration.ofNanos(System.nanoTime() - restarted);
      assertThat(other.http.check(ANN).status()).isEqualTo(200);
      assertThat(one.http.get("/v1/switches", ADMIN).json().getBoolean("everywhere")).isTrue();

      other.http.send("DELETE", "/v1/kill-switch", "", ADMIN);
      await().atMost(SOON).until(() -> !isKilled(one));
      for (RunningService service : List.of(one, other)) {
        assertThat(service.http.check(ANN).status()).isEqualTo(429);
        assertThat(service.http.check(BOB).status()).isEqualTo(429);
      }
      FaultReport.row(
          "60 block and kill switch set while Redis is killed",
          3,
          "count on this instance and say so; on all when Redis is back",
          Duration.ZERO,
          published);
    }
  }

  @Test
  void changesInTheSameInstantAllCount() {
    try (RunningService one = start();
        RunningService other = start()) {
      List<CompletableFuture<Answer>> changes = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        Map<String, String> user = Map.of("path", "/strict", "user", "u" + i);
        RunningService service = i % 2 == 0 ? one : other;
        changes.add(CompletableFuture.supplyAsync(() -> block(service, user)));
      }
      changes.add(CompletableFuture.supplyAsync(() -> one.http.put("/v1/kill-switch", "", ADMIN)));
      changes.forEach(change -> assertThat(change.join().status()).isEqualTo(200));

      for (RunningService service : List.of(one, other)) {
        await().atMost(SOON).until(() -> blocks(service) == 20 && isKilled(service));
      }
      FaultReport.row(
          "61 changes on two instances in the same instant",
          changes.size(),
          "all count on both instances");
    }
  }

  @Test
  void instancesThatRunWriteBlocksAnewWhenRedisHasLostThem() {
    try (RunningService one = start()) {
      block(one, ANN);
      redis.command("FLUSHALL");
      await().atMost(SOON).until(() -> redis.command("DBSIZE").contains("1"));
      try (RunningService later = start()) {
        assertThat(later.http.check(ANN).status()).isEqualTo(429);
      }
    }
  }

  /**
   * As after FLUSHALL, when an instance that started meanwhile is the first to write: the text of
   * another namespace takes the place of the one that both have read.
   */
  @Test
  void blocksOfBeforeAndAfterALossAllCount() {
    try (RunningService one = start();
        RunningService other = start();
        RunningService fresh = RunningService.start(options().namespace("fresh"))) {
      block(one, ANN);
      one.http.put("/v1/kill-switch", "", ADMIN);
      await().atMost(SOON).until(() -> blocks(other) == 2 && isKilled(other));
      block(fresh, BOB);

      redis.command("RENAME", switches("fresh"), switches("default"));
      for (RunningService service : List.of(one, other)) {
        await().atMost(SOON).until(() -> blocks(service) == 3 && isKilled(service));
      }
      one.http.send("DELETE", "/v1/kill-switch", "", ADMIN);
      one.http.post("/v1/unblock", Http.question(BOB, 1), ADMIN);
      await().atMost(SOON).until(() -> blocks(other) == 1 && !isKilled(other));
      try (RunningService later = start()) {
        assertThat(later.http.check(ANN).status()).isEqualTo(429);
        assertThat(later.http.check(BOB).status()).isEqualTo(200);
      }
    }
  }

  private String switches(String namespace) {
    return redis.commandList("KEYS", "*" + namespace + "*text}switches").get(0);
  }

  @Test
  void sharedRulesWinOverFilesUntilTheyAreDeletedAlsoAfterARestart() throws Exception {
    ServerOptions shared = options().sharedRules(true);
    String files;
    try (RunningService one = RunningService.start(shared)) {
      files = health(one).getString("rulesHash");
      one.http.put("/v1/rules", RunningService.RULES.replace("3 per hour", "5 per hour"), ADMIN);
      assertThat(health(one).getString("rulesSource")).isEqualTo("shared");

      RunningService.rules(directory, RunningService.RULES.replace("3 per hour", "7 per hour"));
      try (RunningService restarted = RunningService.start(shared)) {
        assertThat(health(restarted).getString("rulesHash"))
            .isEqualTo(health(one).getString("rulesHash"))
            .isNotEqualTo(files);
        assertThat(restarted.http.get("/v1/rules", ADMIN).body()).contains("5 per hour");

        Answer deleted = restarted.http.send("DELETE", "/v1/rules", "", ADMIN);
        assertThat(deleted.status()).isEqualTo(200);
        assertThat(health(restarted).getString("rulesSource")).isEqualTo("files");
        assertThat(restarted.http.get("/v1/rules", ADMIN).body()).contains("7 per hour");
        await()
            .atMost(SOON)
            .until(() -> one.http.get("/v1/rules", ADMIN).body().contains("7 per hour"));
        assertThat(health(one).getString("rulesHash"))
            .isEqualTo(health(restarted).getString("rulesHash"));
        FaultReport.row(
            "62 restart with shared rules and a changed file",
            1,
            "the shared rules win until they are deleted; all instances have the same hash");
      }
    }
  }

  @Test
  void instancesThatRunKeepSharedRulesAndWriteThemAnewWhenRedisHasLostThem() {
    ServerOptions shared = options().sharedRules(true);
    try (RunningService one = RunningService.start(shared);
        RunningService other = RunningService.start(shared)) {
      one.http.put("/v1/rules", RunningService.RULES.replace("3 per hour", "5 per hour"), ADMIN);
      String hash = health(one).getString("rulesHash");
      await().atMost(SOON).until(() -> health(other).getString("rulesHash").equals(hash));

      redis.command("FLUSHALL");
      await().atMost(SOON).until(() -> !redis.commandList("KEYS", "*text}rules").isEmpty());
      for (RunningService service : List.of(one, other)) {
        assertThat(health(service).getString("rulesHash")).isEqualTo(hash);
        assertThat(health(service).getString("rulesSource")).isEqualTo("shared");
      }
      try (RunningService later = RunningService.start(shared)) {
        assertThat(health(later).getString("rulesHash")).isEqualTo(hash);
        later.http.send("DELETE", "/v1/rules", "", ADMIN);
        await().atMost(SOON).until(() -> health(one).getString("rulesSource").equals("files"));
      }
      FaultReport.row(
          "62 shared rules lost by FLUSHALL", 1, "kept by all instances and written anew");
    }
  }

  @Test
  void sharedRulesThatCannotBePublishedChangeNothing() {
    try (RunningService one = RunningService.start(options().sharedRules(true))) {
      redis.kill();
      String raised = RunningService.RULES.replace("3 per hour", "5 per hour");
      assertThat(one.http.put("/v1/rules", raised, ADMIN).status()).isEqualTo(503);
      assertThat(one.http.get("/v1/rules", ADMIN).body()).contains("3 per hour");
      await()
          .atMost(SOON)
          .until(() -> health(one).getJsonArray("reasons").encode().contains("shared rules"));
      FaultReport.row(
          "62 shared rules given while Redis is killed", 1, "503; the rules before stay");
    }
  }

  private static Answer block(RunningService service, Map<String, String> attributes) {
    return service.http.post("/v1/block", Http.question(attributes, 1), ADMIN);
  }

  private static int blocks(RunningService service) {
    return service.http.get("/v1/switches", ADMIN).json().getJsonArray("blocks").size();
  }

  private static boolean isKilled(RunningService service) {
    return service.http.get("/v1/switches", ADMIN).json().getBoolean("killSwitch");
  }

  private static JsonObject health(RunningService service) {
    return service.http.get("/healthz").json();
  }

  private RunningService start() {
    return RunningService.start(options());
  }

  private ServerOptions options() {
    return RunningService.options(directory).store(redis.uri());
  }
}
