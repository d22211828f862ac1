package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** FAULTS 54 over HTTP: health and metrics name what a real Redis refuses with, until it ends. */
@Tag("slow")
@Timeout(120)
final class RefusalHealthTest {
  private static final Map<String, String> ANN = Map.of("path", "/api/x", "user", "ann");
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path directory;

  /** How a server is made to refuse, and to stop that. */
  private enum Refusal {
    OOM {
      @Override
      void begin(RedisProcess redis, Path directory) {
        set(redis, "maxmemory", "1");
      }

      @Override
      void end(RedisProcess redis) {
        set(redis, "maxmemory", "0");
      }
    },
    READONLY {
      @Override
      void begin(RedisProcess redis, Path directory) {
        redis.command("REPLICAOF", "127.0.0.1", "1");
      }

      @Override
      void end(RedisProcess redis) {
        redis.command("REPLICAOF", "NO", "ONE");
      }
    },
    NOPERM {
      @Override
      void begin(RedisProcess redis, Path directory) {
        redis.command("ACL", "SETUSER", "default", "-evalsha");
      }

      @Override
      void end(RedisProcess redis) {
        redis.command("ACL", "SETUSER", "default", "+evalsha");
      }
    },
    MISCONF {
      @Override
      void begin(RedisProcess redis, Path directory) throws IOException {
        Path gone = Files.createDirectory(directory.resolve("gone"));
        set(redis, "save", "1 1");
        set(redis, "dir", gone.toString());
        Files.delete(gone);
        redis.command("BGSAVE");
        await()
            .atMost(SOON)
            .until(() -> redis.command("INFO", "persistence").contains("bgsave_status:err"));
      }

      @Override
      void end(RedisProcess redis) {
        set(redis, "stop-writes-on-bgsave-error", "no");
      }
    },
    BUSY {
      @Override
      void begin(RedisProcess redis, Path directory) {
        set(redis, "lua-time-limit", "100");
        CompletableFuture.runAsync(() -> redis.command("EVAL", "while true do end", "0"));
        await().atMost(SOON).until(() -> redis.command("GET", "x").startsWith("-BUSY"));
      }

      @Override
      void end(RedisProcess redis) {
        redis.command("SCRIPT", "KILL");
      }
    },
    /** For ten seconds, answering after every 2 MB that are loaded: five times a second. */
    LOADING {
      @Override
      void begin(RedisProcess redis, Path directory) {
        String fill = "for i=1,1000 do redis.call('SET','f'..i,string.rep('x',100000)) end";
        redis.command("EVAL", fill, "0");
        set(redis, "rdbcompression", "no");
        set(redis, "key-load-delay", "10000");
        CompletableFuture.runAsync(() -> redis.command("DEBUG", "RELOAD"));
        await()
            .pollInterval(Duration.ofMillis(10))
            .atMost(SOON)
            .until(() -> redis.command("GET", "x").startsWith("-LOADING"));
      }

      @Override
      void end(RedisProcess redis) {
        await().atMost(SOON).until(() -> !redis.command("GET", "x").startsWith("-LOADING"));
      }
    };

    abstract void begin(RedisProcess redis, Path directory) throws IOException;

    abstract void end(RedisProcess redis);
  }

  private static void set(RedisProcess redis, String name, String value) {
    assertThat(redis.command("CONFIG", "SET", name, value)).isEqualTo("+OK");
  }

  @ParameterizedTest
  @EnumSource(Refusal.class)
  void aRefusalIsSeenInHealthAndMetricsUntilItEnds(Refusal refusal) throws IOException {
    try (RedisProcess redis = RedisProcess.start();
        RunningService service = start(redis)) {
      refusal.begin(redis, directory);
      awaitReason(service, refusal.name());
      refusal.end(redis);
      awaitEnd(service, refusal.name());
    }
    FaultReport.row(
        "54 " + refusal + " over HTTP", 1, "health and metrics say so with the reason, then not");
  }

  /** 6.2 does not look at replicas inside scripts; newer servers do. */
  @Test
  @Tag("external")
  void missingReplicasAreSeenInHealthAndMetricsUntilTheyAreNotRequired() {
    try (RedisProcess redis =
            RedisProcess.start(ExternalPrograms.require(RedisBinary.installed(), "redis-server"));
        RunningService service = start(redis)) {
      set(redis, "min-replicas-to-write", "1");
      awaitReason(service, "NOREPLICAS");
      set(redis, "min-replicas-to-write", "0");
      awaitEnd(service, "NOREPLICAS");
    }
    FaultReport.row(
        "54 NOREPLICAS over HTTP", 1, "health and metrics say so with the reason, then not");
  }

  private static void awaitReason(RunningService service, String reason) {
    await()
        .atMost(SOON)
        .until(
            () -> {
              service.http.check(ANN);
              return reasons(service).contains(reason);
            });
    assertThat(service.http.get("/healthz").json().getString("status")).isEqualTo("degraded");
    await().atMost(SOON).until(() -> isRefusing(service));
  }

  private static void awaitEnd(RunningService service, String reason) {
    await()
        .atMost(SOON)
        .until(
            () -> {
              service.http.check(ANN);
              return !reasons(service).contains(reason) && !isRefusing(service);
            });
  }

  private static String reasons(RunningService service) {
    return service.http.get("/healthz").json().getJsonArray("reasons").encode();
  }

  private static boolean isRefusing(RunningService service) {
    return service
        .http
        .get("/metrics")
        .body()
        .lines()
        .anyMatch(line -> line.startsWith("weir_node_refusing{") && line.endsWith(" 1.0"));
  }

  /** A long deadline: while it loads, a server answers seldom. */
  private RunningService start(RedisProcess redis) {
    return RunningService.start(
        RunningService.options(directory).store(redis.uri()).deadline(Duration.ofSeconds(2)));
  }
}
