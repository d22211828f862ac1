package dev.weir.server.http.admin;

import static dev.weir.server.RunningService.ADMIN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.server.Http;
import dev.weir.server.RunningService;
import dev.weir.testkit.RedisProcess;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What administrators see of leases, over a real Redis. */
@Timeout(120)
final class LeaseStatusCallTest {
  private static final String RULES =
      "rules: [{name: r, limits: [{name: hot, key: user, limit: 100000 per minute, lease: 1s}]}]";
  private static final Map<String, String> STAR = Map.of("user", "star");

  @TempDir Path directory;

  @Test
  void aHotKeyIsServedFromALeaseThatAdministratorsSee() {
    try (RedisProcess redis = RedisProcess.start();
        RunningService service =
            RunningService.start(
                RunningService.options(directory)
                    .config(List.of(RunningService.rules(directory, RULES)))
                    .store(redis.uri())
                    .deadline(Duration.ofSeconds(5)))) {
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(1))
          .until(() -> service.http.check(STAR).json().getString("source").equals("lease"));
      for (int i = 0; i < 20; i++) {
        service.http.check(STAR);
      }
      assertThat(service.http.get("/v1/leases").status()).isEqualTo(401);
      JsonObject seen = service.http.get("/v1/leases", ADMIN).json();
      assertThat(seen.getLong("calls")).isPositive();
      assertThat(seen.getLong("allowed")).isPositive();
      JsonObject held = seen.getJsonArray("held").getJsonObject(0);
      assertThat(held.getString("name")).isEqualTo("hot");
      assertThat(held.getString("key")).isEqualTo("star");
      JsonObject explained = explainWhileLeased(service);
      assertThat(explained.getJsonArray("leases").getJsonObject(0).getString("key"))
          .isEqualTo("star");
      assertThat(explained.getJsonArray("rules").toString()).contains("leased for 1s");
      assertThat(service.http.get("/metrics", ADMIN).body())
          .contains("weir_lease_decisions_total{result=\"allowed\"}");
    }
  }

  /** Asks until something is held: a lease may end between two calls. */
  private static JsonObject explainWhileLeased(RunningService service) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              service.http.check(STAR);
              return service.http.post("/v1/explain", Http.question(STAR, 1), ADMIN).json();
            },
            json -> !json.getJsonArray("leases").isEmpty());
  }

  @Test
  void aServiceInMemoryHasNoLeases() {
    try (RunningService service = RunningService.start(directory)) {
      assertThat(service.http.get("/v1/leases", ADMIN).json().getLong("calls")).isZero();
    }
  }
}
