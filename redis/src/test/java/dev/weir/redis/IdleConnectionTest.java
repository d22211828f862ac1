package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 58: a connection that a firewall forgets while nobody uses it. */
@Tag("slow")
@Timeout(120)
final class IdleConnectionTest {
  @Test
  void aConnectionThatDiesWhileIdleIsReplacedBeforeAnybodyUsesIt() {
    try (RedisProcess redis = RedisProcess.start();
        FaultProxy proxy = FaultProxy.to(redis.port());
        RedisStore store = RedisStore.connect("redis://127.0.0.1:" + proxy.port())) {
      Asking asking = Asking.about(store, Limit.slidingLog(5, Duration.ofDays(1)));
      asking.take("key", 1);
      proxy.blackhole();
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () ->
                  assertThat(store.warnings())
                      .singleElement()
                      .asString()
                      .startsWith("Redis at 127.0.0.1:" + proxy.port()));
      proxy.pass();
      long start = System.nanoTime();
      await().atMost(Duration.ofSeconds(30)).until(() -> store.warnings().isEmpty());
      Duration recovery = Duration.ofNanos(System.nanoTime() - start);
      assertThat(asking.take("key", 1).remaining()).isEqualTo(3);
      FaultReport.row(
          "58 connection dropped silently while idle",
          1,
          "noticed by keep-alive, replaced; the next decision is answered by the store",
          asking.longest(),
          recovery);
    }
  }

  @Test
  void anIdleConnectionIsNeverQuietForLong() {
    try (RedisProcess redis = RedisProcess.start();
        FaultProxy proxy = FaultProxy.to(redis.port());
        RedisStore store = RedisStore.connect("redis://127.0.0.1:" + proxy.port())) {
      long before = proxy.bytesToClient();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> proxy.bytesToClient() >= before + 2 * "+PONG\r\n".length());
      assertThat(proxy.connections()).isEqualTo(1);
      assertThat(store.warnings()).isEmpty();
    }
  }
}
