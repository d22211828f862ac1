package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How many instances share a limit, as they tell each other through the server. */
@Timeout(120)
final class HeartbeatTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final String KEY = "weir:1:default:{instances}";

  private final List<RedisStore> open = new ArrayList<>();
  private RedisProcess redis;

  @BeforeEach
  void start() {
    redis = SERVERS.redis();
  }

  @AfterEach
  void stop() {
    open.forEach(RedisStore::close);
  }

  @Test
  void instancesHearOfEachOtherAndOfThoseThatLeave() {
    RedisStore first = connect();
    assertThat(redis.command("EXISTS", KEY)).isEqualTo(":0");
    RedisStore second = connect();
    second.instances();
    awaitInstances(second, 1);
    first.instances();
    awaitInstances(first, 2);
    awaitInstances(second, 2);
    assertThat(redis.command("PTTL", KEY).substring(1))
        .satisfies(ttl -> assertThat(Long.parseLong(ttl)).isPositive());

    second.close();
    assertThat(redis.command("ZCARD", KEY)).isEqualTo(":1");
    awaitInstances(first, 1);
    assertThat(redis.command("PTTL", KEY + "left").substring(1))
        .satisfies(ttl -> assertThat(Long.parseLong(ttl)).isPositive());
  }

  @Test
  void aStoreThatNeverBeatLeavesNothingBehind() {
    connect().close();
    assertThat(redis.command("DBSIZE")).isEqualTo(":0");
  }

  @Test
  void closingDoesNotWaitForAServerThatHangs() {
    RedisStore store = connect();
    store.instances();
    awaitInstances(store, 1);
    redis.suspend();
    long start = System.nanoTime();
    store.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
  }

  private RedisStore connect() {
    RedisStore store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(2)).build();
    open.add(store);
    return store;
  }

  private static void awaitInstances(RedisStore store, int count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> store.instances().equals(OptionalInt.of(count)));
  }
}
