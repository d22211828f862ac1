package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Keys that are split into parts, in Redis. */
@Timeout(120)
final class SplitKeyRedisTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private static final Policy HOT =
      Policy.of("rule", "hot", Limit.fixedWindow(80, Duration.ofDays(1))).withSplit(8);

  private static RateLimiter limiter(RedisStore store) {
    return RateLimiter.builder().policy(HOT).store(store).build();
  }

  private static RedisStore open(String uri) {
    return RedisStore.builder(uri).timeout(Duration.ofSeconds(10)).build();
  }

  private static long allowed(RateLimiter limiter, int times) {
    return IntStream.range(0, times).filter(i -> limiter.tryAcquire("key")).count();
  }

  @Test
  void thePartsAreReadableKeysInSlotsOfTheirOwn() {
    try (RedisProcess redis = RedisProcess.start();
        RedisStore store = open(redis.uri());
        Admin admin = Admin.of(redis)) {
      assertThat(allowed(limiter(store), 500)).isEqualTo(80);
      List<String> keys = admin.keys().stream().filter(key -> key.contains("|key")).toList();
      assertThat(keys).hasSize(8).anyMatch(key -> key.endsWith("rule|key~7"));
      assertThat(keys.stream().map(SlotHash::getSlot).distinct()).hasSize(8);
    }
  }

  @Test
  void anotherInstanceGivesBackExactlyWhatWasTaken() {
    try (RedisProcess redis = RedisProcess.start();
        RedisStore first = open(redis.uri());
        RedisStore second = open(redis.uri())) {
      List<Decision> decisions = new ArrayList<>();
      while (decisions.size() < 80) {
        Decision decision = limiter(first).decide("key");
        if (decision.allowed()) {
          decisions.add(decision);
        }
      }
      decisions.forEach(limiter(second)::refund);
      assertThat(limiter(second).peek("key").remaining()).isEqualTo(80);
    }
  }

  @Test
  void onAClusterAllPartsAreLookedUpAndReset() {
    try (RedisStore store = open(SERVERS.cluster().uri())) {
      RateLimiter limiter = limiter(store);
      assertThat(allowed(limiter, 30)).isEqualTo(30);
      assertThat(limiter.peek("key").remaining()).isEqualTo(50);
      assertThat(allowed(limiter, 500)).isEqualTo(50);
      assertThat(limiter.peek("key").allowed()).isFalse();
      limiter.reset("key");
      assertThat(limiter.peek("key").remaining()).isEqualTo(80);
    }
  }
}
