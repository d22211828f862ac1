package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import io.lettuce.core.ScriptOutputType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FAULTS 12: the server answers, but for a while it does not do what it is asked. */
@Tag("slow")
@Timeout(120)
final class RefusedWritesTest {
  private static final Duration PERIOD = Duration.ofDays(400);

  private RedisProcess redis;
  private Admin admin;
  private RedisStore store;

  @BeforeEach
  void open() {
    redis = RedisProcess.start("--lua-time-limit", "100");
    connect();
  }

  private void connect() {
    admin = Admin.of(redis);
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build();
  }

  @AfterEach
  void close() {
    store.close();
    admin.close();
    redis.close();
  }

  static Stream<Limit> limitsOfFive() {
    return Asking.limits(5, PERIOD);
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void withoutMemoryTakingFailsAndPeekingWorks(Limit limit) {
    Asking asking = Asking.about(store, limit);
    asking.take("key", 2);
    admin.redis.configSet("maxmemory", "1");
    assertThat(asking.failureOfTake("key"))
        .hasMessageContaining("OOM")
        .hasMessageEndingWith(
            "Raise maxmemory: limits cannot be counted without room for their keys");
    assertThat(asking.failureOfTake("another")).hasMessageContaining("OOM");
    assertThat(asking.failure(() -> asking.charge("key", 1))).hasMessageContaining("OOM");
    assertThat(asking.peek("key", 3).fits()).isTrue();
    assertThat(asking.take("key", 4).fits()).isFalse();
    assertRefuses("OOM");
    admin.redis.configSet("maxmemory", "0");
    assertThat(asking.take("key", 1).remaining()).isEqualTo(2);
    assertAccepts();
    assertThat(admin.keys()).hasSize(1);
    FaultReport.row(
        "12 OOM, noeviction (" + Asking.nameOf(limit) + ")",
        3,
        "taking fails and takes nothing, peek and denials work",
        asking.longest());
  }

  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void onAReadOnlyReplicaTakingFailsAndPeekingWorks(Limit limit) {
    Asking asking = Asking.about(store, limit);
    asking.take("key", 2);
    redis.command("REPLICAOF", "127.0.0.1", "1");
    assertThat(asking.failureOfTake("key")).hasMessageContaining("READONLY");
    assertThat(asking.failure(() -> asking.refund("key", 1))).hasMessageContaining("READONLY");
    assertThat(asking.failure(() -> asking.reset("key"))).hasMessageContaining("READONLY");
    assertThat(asking.peek("key", 3).fits()).isTrue();
    assertRefuses("READONLY");
    redis.command("REPLICAOF", "NO", "ONE");
    assertThat(asking.take("key", 1).remaining()).isEqualTo(2);
    assertAccepts();
    FaultReport.row(
        "5, 12 READONLY replica (" + Asking.nameOf(limit) + ")",
        3,
        "taking fails and takes nothing, peek works",
        asking.longest());
  }

  @Test
  void aReplicaWithoutItsMasterThatServesNothingFailsEverything() {
    Asking asking = Asking.about(store, Limit.slidingLog(5, PERIOD));
    admin.redis.configSet("replica-serve-stale-data", "no");
    redis.command("REPLICAOF", "127.0.0.1", "1");
    assertThat(asking.failureOfTake("key")).hasMessageContaining("MASTERDOWN");
    assertRefuses("MASTERDOWN");
    redis.command("REPLICAOF", "NO", "ONE");
    assertThat(asking.take("key", 1).remaining()).isEqualTo(4);
    assertAccepts();
    FaultReport.row("12 MASTERDOWN", 1, "fails, works after", asking.longest());
  }

  @Test
  void aBusyServerFailsUntilItsScriptEnds() {
    Asking asking = Asking.about(store, Limit.slidingLog(5, PERIOD));
    asking.take("key", 1);
    try (Admin other = Admin.of(redis)) {
      CompletableFuture<?> endless =
          CompletableFuture.runAsync(
              () -> other.redis.eval("while true do end", ScriptOutputType.STATUS));
      await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> redis.command("GET", "x").startsWith("-BUSY"));
      assertThat(asking.failureOfTake("key")).hasMessageContaining("BUSY");
      assertRefuses("BUSY");
      redis.command("SCRIPT", "KILL");
      await().until(endless::isDone);
    }
    assertThat(asking.take("key", 1).remaining()).isEqualTo(3);
    assertAccepts();
    FaultReport.row("12 BUSY", 1, "fails with its message, works after", asking.longest());
  }

  @Test
  void aLoadingServerFailsUntilItHasLoaded() {
    Asking asking = Asking.about(store, Limit.slidingLog(5, PERIOD));
    asking.take("key", 1);
    for (int i = 0; i < 1200; i++) {
      admin.redis.set("filler-" + i, "x".repeat(10_000));
    }
    admin.redis.configSet("rdbcompression", "no");
    admin.redis.configSet("key-load-delay", "2000");
    try (Admin other = Admin.of(redis)) {
      CompletableFuture<?> loading = CompletableFuture.runAsync(other.redis::debugReload);
      await()
          .pollInterval(Duration.ofMillis(10))
          .atMost(Duration.ofSeconds(10))
          .until(() -> redis.command("GET", "x").startsWith("-LOADING"));
      assertThat(asking.failureOfTake("key")).hasMessageContaining("LOADING");
      assertRefuses("LOADING");
      redis.command("CONFIG", "SET", "key-load-delay", "0");
      await().atMost(Duration.ofSeconds(30)).until(loading::isDone);
    }
    await()
        .ignoreException(StoreUnavailableException.class)
        .until(() -> asking.take("key", 1).remaining() == 3);
    assertAccepts();
    FaultReport.row("12 LOADING", 1, "fails with its message, works after", asking.longest());
  }

  @Test
  void aServerThatCannotSaveRefusesWritesUntilItCan() throws IOException {
    Asking asking = Asking.about(store, Limit.fixedWindow(5, PERIOD));
    asking.take("key", 1);
    admin.redis.configSet("save", "1 1");
    Path gone = Files.createTempDirectory("weir-redis");
    admin.redis.configSet("dir", gone.toString());
    Files.delete(gone);
    redis.command("BGSAVE");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> redis.command("INFO", "persistence").contains("bgsave_status:err"));
    assertThat(asking.failureOfTake("key")).hasMessageContaining("MISCONF");
    assertRefuses("MISCONF");
    admin.redis.configSet("stop-writes-on-bgsave-error", "no");
    assertThat(asking.take("key", 1).remaining()).isEqualTo(3);
    assertAccepts();
    FaultReport.row("54 MISCONF", 1, "warned of with the reason, works after", asking.longest());
  }

  @Test
  void aUserWhoseRightsAreTakenAwayIsWarnedOf() {
    store.close();
    redis.command("ACL", "SETUSER", "poor", "on", ">pw", "~*", "+@all");
    store =
        RedisStore.builder("redis://poor:pw@127.0.0.1:" + redis.port())
            .timeout(Duration.ofSeconds(5))
            .build();
    Asking asking = Asking.about(store, Limit.fixedWindow(5, PERIOD));
    redis.command("ACL", "SETUSER", "poor", "-evalsha");
    assertThat(asking.failureOfTake("key")).hasMessageContaining("NOPERM");
    assertRefuses("NOPERM");
    redis.command("ACL", "SETUSER", "poor", "+evalsha");
    assertThat(asking.take("key", 1).remaining()).isEqualTo(4);
    assertAccepts();
    FaultReport.row("54 NOPERM", 1, "warned of with the rule, works after", asking.longest());
  }

  @Test
  void aRefusalIsOneLineInTheLogHoweverManyCallsItHits() {
    try (LogLines log = LogLines.of("dev.weir.redis")) {
      Asking asking = Asking.about(store, Limit.fixedWindow(5, PERIOD));
      redis.command("REPLICAOF", "127.0.0.1", "1");
      for (int i = 0; i < 50; i++) {
        assertThat(asking.failureOfTake("key")).hasMessageContaining("READONLY");
      }
      redis.command("REPLICAOF", "NO", "ONE");
      asking.take("key", 1);
      assertAccepts();
      String server = "Redis at 127.0.0.1:" + redis.port();
      assertThat(log.lines())
          .satisfiesExactly(
              line -> assertThat(line).startsWith("WARNING " + server + " refuses calls: READONLY"),
              line -> assertThat(line).isEqualTo("INFO " + server + " accepts calls again"));
      FaultReport.row(
          "54 READONLY", 50, "one line in the log, one when it is over", asking.longest());
    }
  }

  private void assertRefuses(String reason) {
    assertThat(store.warnings())
        .singleElement()
        .asString()
        .startsWith("Redis at 127.0.0.1:" + redis.port() + " refuses calls: ")
        .contains(reason);
  }

  /** A second after the last refusal, because answers may alternate. */
  private void assertAccepts() {
    await().untilAsserted(() -> assertThat(store.warnings()).isEmpty());
  }

  @Tag("external")
  @ParameterizedTest
  @MethodSource("limitsOfFive")
  void withoutEnoughReplicasTakingFailsAndPeekingWorks(Limit limit) {
    close(); // 6.2 does not look at replicas inside scripts; newer servers do
    redis = RedisProcess.start(ExternalPrograms.require(RedisBinary.installed(), "redis-server"));
    connect();
    Asking asking = Asking.about(store, limit);
    asking.take("key", 2);
    admin.redis.configSet("min-replicas-to-write", "1");
    assertThat(asking.failureOfTake("key")).hasMessageContaining("NOREPLICAS");
    assertThat(asking.peek("key", 3).fits()).isTrue();
    assertRefuses("NOREPLICAS");
    admin.redis.configSet("min-replicas-to-write", "0");
    assertThat(asking.take("key", 1).remaining()).isEqualTo(2);
    assertAccepts();
    FaultReport.row(
        "12 NOREPLICAS (" + Asking.nameOf(limit) + ")",
        1,
        "taking fails and takes nothing, peek works",
        asking.longest());
  }
}
