package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** FAULTS 20: times that are handed in out of order. */
final class HandedInTimesTest {
  private static final List<Limit> LIMITS =
      List.of(
          Limit.tokenBucket(1, Duration.ofSeconds(10)),
          Limit.fixedWindow(1, Duration.ofSeconds(10)),
          Limit.slidingLog(1, Duration.ofSeconds(10)));

  @Test
  void aTimeThatHasPassedCountsAsTheLatestOne() {
    for (Limit limit : LIMITS) {
      ManualTime inMemory = new ManualTime();
      ManualTime inRedis = new ManualTime();
      try (RedisProcess redis = RedisProcess.start();
          MemoryStore memory = MemoryStore.builder().time(inMemory).build();
          RedisStore shared = RedisStore.builder(redis.uri()).clientTime(inRedis).build()) {
        assertThat(replay(limit, memory, inMemory))
            .containsExactly(true, false, false, true, false);
        assertThat(replay(limit, shared, inRedis)).containsExactly(true, false, false, true, false);
      }
    }
    FaultReport.row(
        "20 times handed in out of order",
        2 * LIMITS.size(),
        "counted at the latest time: 2 of 5 admitted, bound 2");
  }

  private static List<Boolean> replay(Limit limit, LimitStore store, ManualTime time) {
    RateLimiter limiter =
        RateLimiter.builder().name("limiter").limit("limit", limit).store(store).build();
    return LongStream.of(10, 5, 1, 20, 12)
        .mapToObj(
            second -> {
              time.set(Instant.ofEpochSecond(second));
              return limiter.tryAcquire("key");
            })
        .toList();
  }
}
