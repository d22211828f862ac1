package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.io.UncheckedIOException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("slow")
final class RedisServersTest {
  private final RedisServers servers = RedisServers.embedded();

  @AfterEach
  void stop() {
    servers.stop();
  }

  @Test
  void aServerIsSharedAndEmptiedBeforeEachTest() {
    RedisProcess redis = servers.redis();
    redis.command("SET", "a", "1");
    servers.clear();
    assertThat(servers.redis()).isSameAs(redis);
    assertThat(redis.command("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void scriptsAndStatisticsOfTheTestBeforeAreGone() {
    RedisProcess redis = servers.redis();
    String sha = redis.command("SCRIPT", "LOAD", "return 1");
    servers.clear();
    assertThat(redis.command("EVALSHA", sha, "0")).startsWith("-NOSCRIPT");
    assertThat(redis.command("INFO", "commandstats")).doesNotContain("cmdstat_script|load");
  }

  @Test
  void aKilledOrSuspendedServerRunsAgain() {
    RedisProcess redis = servers.redis();
    redis.kill();
    servers.clear();
    assertThat(redis.command("PING")).isEqualTo("+PONG");
    redis.suspend();
    servers.clear();
    assertThat(redis.command("PING")).isEqualTo("+PONG");
  }

  @Test
  void aServerWithSettingsIsEmptiedToo() {
    RedisServers locked = RedisServers.with("--requirepass", "secret");
    try {
      assertThat(locked.redis().command("SET", "a", "1")).isEqualTo("+OK");
      locked.clear();
      assertThat(locked.redis().command("DBSIZE")).isEqualTo(":0");
      assertThat(locked.redis().command("CONFIG", "GET", "requirepass")).isEqualTo("*2");
    } finally {
      locked.stop();
    }
  }

  @Test
  void aClusterIsEmptiedOnAllItsMasters() {
    RedisCluster cluster = servers.cluster();
    cluster.owner(12_182).command("SET", "foo", "1"); // the slot of this key
    assertThat(cluster.owner(12_182).command("DBSIZE")).isEqualTo(":1");
    servers.clear();
    assertThat(cluster.masters()).allMatch(master -> master.command("DBSIZE").equals(":0"));
  }

  @Test
  void whatSentinelsWatchIsEmptied() {
    RedisSentinels sentinels = servers.sentinels();
    sentinels.master().command("SET", "a", "1");
    servers.clear();
    assertThat(sentinels.master().command("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void nothingRunsAfterTheLastTest() {
    RedisProcess redis = servers.redis();
    RedisCluster cluster = servers.cluster();
    servers.stop();
    assertThat(redis.isRunning()).isFalse();
    assertThat(cluster.masters()).noneMatch(RedisProcess::isRunning);
    assertThatThrownBy(() -> redis.command("PING")).isInstanceOf(UncheckedIOException.class);
  }

  /** As it is used: JUnit calls the extension. */
  @Nested
  final class InATestClass {
    @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

    @RepeatedTest(2)
    void eachTestFindsTheServerEmpty() {
      assertThat(SERVERS.redis().command("DBSIZE")).isEqualTo(":0");
      SERVERS.redis().command("SET", "a", "1");
    }
  }

  @Nested
  final class WithoutTheProgram {
    @RegisterExtension
    static final RedisServers SERVERS =
        RedisServers.of(() -> ExternalPrograms.require(Optional.empty(), "redis-server", false));

    @Test
    void noTestIsRun() {
      fail("the class must be skipped");
    }
  }
}
