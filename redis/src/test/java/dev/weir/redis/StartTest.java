package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.connection.NodeConnection;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 15 and 45: what a store says when it starts. */
@Timeout(60)
final class StartTest {
  private static final Limit LIMIT = Limit.slidingLog(5, Duration.ofDays(1));

  @Test
  void withoutAServerTheErrorNamesTheAddressAndTheCause() {
    try (RedisProcess redis = RedisProcess.start()) {
      redis.kill();
      assertThatThrownBy(() -> RedisStore.connect(redis.uri()))
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessageStartingWith("Redis at 127.0.0.1:" + redis.port() + ": ")
          .hasMessageContaining("Connection refused");
    }
  }

  @Test
  void aStoreThatMayStartWithoutAServerFailsCallsAtOnceAndWorksWhenItIsThere() {
    try (RedisProcess redis = RedisProcess.start()) {
      redis.kill();
      try (RedisStore store = RedisStore.builder(redis.uri()).startWithoutServer().build()) {
        Asking asking = Asking.about(store, LIMIT);
        for (int i = 0; i < 100; i++) {
          assertThat(asking.failureOfTake("key"))
              .hasMessageStartingWith("Redis at 127.0.0.1:" + redis.port() + ": ")
              .hasMessageContaining("Connection refused");
        }
        assertThat(asking.longest()).isLessThan(Duration.ofMillis(500));
        redis.restart();
        Asking later = Asking.about(store, LIMIT);
        await()
            .atMost(Duration.ofSeconds(15))
            .ignoreException(StoreUnavailableException.class)
            .until(() -> later.peek("key", 1).fits());
        assertThat(later.take("key", 1).remaining()).isEqualTo(4);
        FaultReport.row(
            "15 start without a server", 100, "fail at once; works later", asking.longest());
      }
    }
  }

  @Test
  void aServerThatTakesConnectionsAndSaysNothingEndsTheStartInTime() {
    try (RedisProcess redis = RedisProcess.start();
        FaultProxy proxy = FaultProxy.to(redis.port())) {
      proxy.blackhole();
      long start = System.nanoTime();
      Throwable failure =
          catchThrowable(
              () ->
                  RedisStore.builder("redis://127.0.0.1:" + proxy.port())
                      .connectTimeout(Duration.ofMillis(500))
                      .build());
      assertThat(failure)
          .isInstanceOf(StoreUnavailableException.class)
          .hasMessage(
              "Redis at 127.0.0.1:"
                  + proxy.port()
                  + ": Connection initialization timed out after 500 millisecond(s)");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
    }
  }

  @Test
  void aSlowHandshakeIsAMatterOfTheConnectTimeout() {
    try (RedisProcess redis = RedisProcess.start();
        FaultProxy proxy = FaultProxy.to(redis.port())) {
      proxy.delay(Duration.ofMillis(200), Duration.ofMillis(200));
      try (RedisStore store =
          RedisStore.builder("redis://127.0.0.1:" + proxy.port())
              .timeout(Duration.ofMillis(100))
              .connectTimeout(Duration.ofSeconds(10))
              .build()) {
        proxy.pass();
        Asking asking = Asking.about(store, LIMIT);
        await()
            .ignoreException(StoreUnavailableException.class)
            .until(() -> asking.peek("key", 1).fits());
      }
    }
  }

  @Test
  void aServerThatMayEvictCountersIsWarnedOf() {
    try (RedisProcess redis =
            RedisProcess.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
        LogLines log = LogLines.of(NodeConnection.class);
        RedisStore store = RedisStore.connect(redis.uri())) {
      String warning =
          "Redis has maxmemory-policy allkeys-lru: when memory is short it may evict counters, and"
              + " their keys then have all permits again; set it to noeviction";
      assertThat(store.warnings()).containsExactly(warning);
      assertThat(log.lines()).contains("WARNING " + warning);
      assertThat(Asking.about(store, LIMIT).take("key", 1).fits()).isTrue();
      FaultReport.row("45 allkeys-lru", 1, "warned of, in the log too");
    }
  }

  @Test
  void aServerThatNeverEvictsIsNotWarnedOf() {
    try (RedisProcess redis = RedisProcess.start();
        RedisStore store = RedisStore.connect(redis.uri())) {
      assertThat(store.warnings()).isEmpty();
    }
  }
}
