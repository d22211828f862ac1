package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 55: servers that are away when an instance starts, all or some of them. */
@Tag("slow")
@Timeout(120)
final class StartWithoutServerTest {
  private static final Limit LIMIT = Limit.fixedWindow(1_000_000, Duration.ofDays(1));
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Duration AT_ONCE = Duration.ofMillis(500);
  private static final Pattern PORT = Pattern.compile("127\\.0\\.0\\.1:(\\d+)");

  @Test
  void aHungClusterBlocksNoCallAndIsUsedWhenItIsBack() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      cluster.masters().forEach(RedisProcess::suspend);
      try (RedisStore store = startWithout(cluster.uri())) {
        Duration longest = failsAtOnce(store);
        cluster.masters().forEach(RedisProcess::resume);
        Duration recovery = answersSoon(store, List.of("a", "b", "c", "d"));
        FaultReport.row(
            "55 Cluster hung at the start", 100, "fails at once; works later", longest, recovery);
      }
    }
  }

  @Test
  void aDeadClusterBlocksNoCall() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      cluster.masters().forEach(RedisProcess::kill);
      try (RedisStore store = startWithout(cluster.uri())) {
        Duration longest = failsAtOnce(store);
        FaultReport.row("55 Cluster down at the start", 100, "fails at once", longest);
      }
      assertThatThrownBy(() -> RedisStore.connect(cluster.uri()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageContaining("Connection refused");
    }
  }

  @Test
  void aShardThatHangsAtTheStartFailsItsOwnKeysOnlyAndIsUsedWhenItIsBack() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      RedisProcess missing = cluster.masters().get(1);
      missing.suspend();
      try (LogLines log = LogLines.of("dev.weir.redis");
          RedisStore store =
              RedisStore.builder(cluster.uri()).timeout(Duration.ofSeconds(2)).build()) {
        Asking asking = Asking.about(store, LIMIT);
        for (int i = 0; i < 3; i++) {
          assertThat(asking.take(keyOf(cluster, 0), 1).fits()).isTrue();
          assertThat(asking.take(keyOf(cluster, 2), 1).fits()).isTrue();
        }
        Asking away = Asking.about(store, LIMIT);
        assertThat(away.failureOfTake(keyOf(cluster, 1)))
            .hasMessageStartingWith("Redis at 127.0.0.1:" + missing.port());
        assertThat(away.longest()).isLessThan(AT_ONCE);
        assertThat(store.warnings())
            .singleElement()
            .asString()
            .startsWith("Redis at 127.0.0.1:" + missing.port());
        assertThat(log.lines()).noneMatch(line -> line.contains("has stopped answering"));
        missing.resume();
        Duration recovery = answersSoon(store, List.of(keyOf(cluster, 1)));
        await().atMost(SOON).until(() -> store.warnings().isEmpty());
        assertThat(asking.take(keyOf(cluster, 0), 1).remaining()).isEqualTo(999_996);
        FaultReport.row(
            "55 one of three shards hung at the start",
            7,
            "its keys fail at once, the others are answered by the store; works later",
            away.longest(),
            recovery);
      }
    }
  }

  @Test
  void aShardThatIsDownAtTheStartFailsItsOwnKeysOnly() {
    try (RedisCluster cluster = RedisCluster.start(3)) {
      List<String> keys = ShardKeys.of(cluster, cluster.masters().get(1), 20);
      cluster.masters().get(1).kill();
      try (RedisStore store =
          RedisStore.builder(cluster.uri())
              .timeout(Duration.ofSeconds(2))
              .startWithoutServer()
              .build()) {
        Asking asking = Asking.about(store, LIMIT);
        ShardKeys.of(cluster, cluster.masters().get(0), 20)
            .forEach(key -> assertThat(asking.take(key, 1).fits()).isTrue());
        ShardKeys.of(cluster, cluster.masters().get(2), 20)
            .forEach(key -> assertThat(asking.take(key, 1).fits()).isTrue());
        keys.forEach(key -> assertThat(asking.failureOfTake(key)).isNotNull());
        FaultReport.row(
            "55 one of three shards down at the start",
            60,
            "40 of 60 keys answered by the store, 20 fail at once",
            asking.longest());
      }
    }
  }

  @Test
  void hungSentinelsBlockNoCallAndAreUsedWhenTheyAreBack() {
    try (RedisSentinels group = RedisSentinels.start()) {
      List<FaultProxy> proxies =
          PORT.matcher(group.uri())
              .results()
              .map(port -> FaultProxy.to(Integer.parseInt(port.group(1))))
              .toList();
      proxies.forEach(FaultProxy::blackhole);
      String uri =
          proxies.stream()
              .map(proxy -> "127.0.0.1:" + proxy.port())
              .collect(Collectors.joining(",", "redis-sentinel://", "/0#weir"));
      try (RedisStore store = startWithout(uri)) {
        Duration longest = failsAtOnce(store);
        proxies.forEach(FaultProxy::pass);
        Duration recovery = answersSoon(store, List.of("key"));
        FaultReport.row(
            "55 Sentinels hung at the start", 100, "fails at once; works later", longest, recovery);
      } finally {
        proxies.forEach(FaultProxy::close);
      }
    }
  }

  private static RedisStore startWithout(String uri) {
    return RedisStore.builder(uri)
        .startWithoutServer()
        .timeout(Duration.ofSeconds(2))
        .connectTimeout(Duration.ofSeconds(1))
        .build();
  }

  private static Duration failsAtOnce(RedisStore store) {
    Asking asking = Asking.about(store, LIMIT);
    for (int i = 0; i < 100; i++) {
      String key = "key-" + i;
      assertThat(asking.failureOfTake(key)).isNotNull();
      long start = System.nanoTime();
      assertThat(store.node(Claim.of(asking.policy, key))).isNotEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
    }
    assertThat(asking.longest()).isLessThan(AT_ONCE);
    assertThat(store.warnings()).isNotEmpty();
    return asking.longest();
  }

  private static Duration answersSoon(RedisStore store, List<String> keys) {
    long start = System.nanoTime();
    Asking asking = Asking.about(store, LIMIT);
    for (String key : keys) {
      await()
          .atMost(SOON)
          .ignoreException(StoreUnavailableException.class)
          .until(() -> asking.take(key, 1).fits());
    }
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static String keyOf(RedisCluster cluster, int master) {
    return ShardKeys.of(cluster, cluster.masters().get(master), 1).get(0);
  }
}
