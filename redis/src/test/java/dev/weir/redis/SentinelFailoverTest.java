package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** FAULTS 5: the master changes while it is used. */
@Tag("slow")
final class SentinelFailoverTest {
  private static final Limit FIVE = Limit.slidingLog(5, Duration.ofDays(1));

  @Test
  void aKilledMasterIsReplacedAndItsCountersAreInherited() {
    try (RedisSentinels group = RedisSentinels.start();
        RedisStore store = open(group)) {
      RateLimiter limiter =
          RateLimiter.builder().name("limiter").limit("log", FIVE).store(store).build();
      limiter.decide("key", 3);
      awaitReplication(group);
      group.master().kill();
      long killed = System.nanoTime();
      awaitStore(limiter);
      Duration away = Duration.ofNanos(System.nanoTime() - killed);
      assertThat(limiter.peek("key").remaining()).isEqualTo(2);
      assertThat(limiter.decide("key", 2).allowed()).isTrue();
      assertThat(limiter.decide("key", 1).allowed()).isFalse();
      FaultReport.row(
          "5 master killed, Sentinels name another",
          1,
          "5 of 5 admitted over both",
          Duration.ZERO,
          away);
    }
  }

  @Test
  void anOldMasterThatLivesOnReadOnlyIsDropped() {
    try (RedisSentinels group = RedisSentinels.start();
        RedisStore store = open(group)) {
      RateLimiter limiter =
          RateLimiter.builder().name("limiter").limit("log", FIVE).store(store).build();
      limiter.decide("key", 3);
      awaitReplication(group);
      group.failOver();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> group.replica().command("ROLE").startsWith("*3"));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> group.master().command("INFO", "replication").contains("role:slave"));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> limiter.decide("other").source() == Source.STORE);
      assertThat(limiter.decide("key", 2).allowed()).isTrue();
      assertThat(limiter.decide("key", 1).allowed()).isFalse();
      FaultReport.row(
          "5 failover, old master alive as READONLY",
          1,
          "left for the new one; 5 of 5 admitted over both");
    }
  }

  @Test
  void anOldMasterThatStillTakesWritesIsDroppedWhenTheSentinelsSaySo() {
    try (RedisSentinels group = RedisSentinels.start();
        RedisStore store = open(group)) {
      RateLimiter limiter =
          RateLimiter.builder().name("limiter").limit("log", FIVE).store(store).build();
      group.failOver();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> group.replica().command("ROLE").startsWith("*3"));
      Awaitility.await()
          .atMost(Duration.ofSeconds(6)) // the old master turns READONLY after ten
          .until(
              () -> {
                limiter.decide("probe");
                return !group.replica().commandList("KEYS", "weir:*|probe|*").isEmpty();
              });
      assertThat(group.master().command("INFO", "replication")).contains("role:master");
    }
  }

  private static RedisStore open(RedisSentinels group) {
    return RedisStore.builder(group.uri()).timeout(Duration.ofSeconds(2)).build();
  }

  private static void awaitReplication(RedisSentinels group) {
    assertThat(group.master().command("WAIT", "1", "10000")).isEqualTo(":1");
  }

  private static void awaitStore(RateLimiter limiter) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              Decision decision = limiter.decide("probe");
              return decision.source() == Source.STORE;
            });
  }
}
