package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 9 on a Cluster: one server or the way to it stands still, and nobody says so. */
@Tag("external")
@Tag("slow")
@Timeout(180)
final class SilentNodeTest {
  private static final Limit LIMIT = Limit.fixedWindow(1_000_000, Duration.ofDays(1));
  private static final Duration SOON = Duration.ofSeconds(30);

  private RedisCluster cluster;
  private RedisProcess silent;
  private String silentKey;
  private String otherKey;

  @BeforeEach
  void start() {
    // Servers of 6.2 do not take a new port to announce while they run.
    cluster =
        RedisCluster.start(ExternalPrograms.require(RedisBinary.installed(), "redis-server"), 3);
    silent = cluster.masters().get(1);
    silentKey = ShardKeys.of(cluster, silent, 1).get(0);
    otherKey = ShardKeys.of(cluster, cluster.masters().get(0), 1).get(0);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void aConnectionThatDiesWithoutAResetIsReplacedAndNoOther() {
    try (FaultProxy proxy = FaultProxy.to(silent.port())) {
      announce(proxy.port());
      try (LogLines log = LogLines.of("dev.weir.redis");
          RedisStore store = open()) {
        Asking asking = Asking.about(store, LIMIT);
        asking.take(silentKey, 1);
        asking.take(otherKey, 1);
        assertThat(proxy.connections()).isPositive();
        proxy.blackhole();
        assertThat(asking.failureOfTake(silentKey)).hasMessageContaining("did not answer in time");
        proxy.pass(); // the old connection stays dead; only a new one can help
        long start = System.nanoTime();
        awaitAnswer(store, silentKey);
        Duration recovery = Duration.ofNanos(System.nanoTime() - start);
        assertThat(recovery).isLessThan(Duration.ofSeconds(10));
        assertThat(asking.take(otherKey, 1).remaining()).isEqualTo(999_998);
        assertThat(log.lines())
            .filteredOn(line -> line.contains("has stopped answering"))
            .singleElement()
            .asString()
            .contains("127.0.0.1:" + proxy.port());
        FaultReport.row(
            "9 blackhole without RST to one of three shards",
            1,
            "that connection alone is replaced; the others answer",
            asking.longest(),
            recovery);
      }
    }
  }

  @Test
  void aHungMasterIsLeftAsSoonAsItsReplicaHasTakenOver() {
    try (RedisProcess replica = replica();
        RedisStore store = open()) {
      Asking asking = Asking.about(store, LIMIT);
      asking.take(silentKey, 1);
      silent.suspend();
      await()
          .atMost(SOON)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                Asking.about(store, LIMIT).failureOfTake(silentKey);
                return replica.command("INFO", "replication").contains("role:master");
              });
      long start = System.nanoTime();
      awaitAnswer(store, silentKey);
      Duration recovery = Duration.ofNanos(System.nanoTime() - start);
      assertThat(recovery).isLessThan(Duration.ofSeconds(4));
      FaultReport.row(
          "6 master of a shard hangs, its replica takes over",
          1,
          "used as soon as the table of slots names it",
          asking.longest(),
          recovery);
      silent.resume();
    }
  }

  private RedisStore open() {
    return RedisStore.builder(cluster.uri()).timeout(Duration.ofMillis(300)).build();
  }

  private static void awaitAnswer(RedisStore store, String key) {
    Asking asking = Asking.about(store, LIMIT);
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(20))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> asking.take(key, 1).fits());
  }

  /** Has clients reach the silent server through another port. */
  private void announce(int port) {
    silent.command("CONFIG", "SET", "cluster-announce-port", String.valueOf(port));
    await()
        .atMost(SOON)
        .until(
            () ->
                cluster.masters().stream()
                    .allMatch(node -> node.command("CLUSTER", "NODES").contains(":" + port + "@")));
  }

  private RedisProcess replica() {
    RedisProcess replica =
        RedisProcess.start(
            RedisBinary.installed().orElseThrow(),
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            "2000",
            "--cluster-require-full-coverage",
            "no",
            "--repl-diskless-sync",
            "yes",
            "--repl-diskless-sync-delay",
            "0");
    String master = silent.command("CLUSTER", "MYID");
    replica.command("CLUSTER", "MEET", "127.0.0.1", String.valueOf(silent.port()));
    await().atMost(SOON).until(() -> replica.command("CLUSTER", "REPLICATE", master).equals("+OK"));
    await()
        .atMost(SOON)
        .until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
    await()
        .atMost(SOON)
        .until(
            () ->
                cluster.masters().stream()
                    .allMatch(
                        node -> node.command("CLUSTER", "NODES").contains("slave " + master)));
    return replica;
  }
}
