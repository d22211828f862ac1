package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a key costs the server; the figures in docs/redis.md are printed here. */
final class KeySizeTest {
  private static final Duration DAY = Duration.ofDays(1);

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final RedisProcess redis = SERVERS.redis();
  private RedisStore store;

  @BeforeEach
  void start() {
    store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(10)).build();
  }

  @AfterEach
  void stop() {
    store.close();
  }

  @Test
  void aLimitOfAnyKindButALogTakesLittleMoreThanItsName() {
    for (Limit limit :
        List.of(
            Limit.tokenBucket(100, DAY),
            Limit.fixedWindow(100, DAY),
            Limit.slidingWindow(100, DAY))) {
      assertThat(bytes(limit.algorithm().name(), 1, limit)).isLessThanOrEqualTo(152);
    }
  }

  @Test
  void furtherLimitsOfARuleShareTheKey() {
    Limit bucket = Limit.tokenBucket(100, DAY);
    long one = bytes("one", 1, bucket);
    long three = bytes("three", 1, bucket, bucket, bucket);
    assertThat(three).isLessThan(2 * one);
  }

  @Test
  void aLogGrowsWithItsEntries() {
    long hundred = bytes("LOG100", 100, Limit.slidingLog(100_000, DAY));
    long thousand = bytes("LOG1000", 1000, Limit.slidingLog(100_000, DAY));
    assertThat(hundred / 100).isLessThan(150);
    assertThat(thousand / 1000).isLessThan(150);
  }

  private long bytes(String name, int admissions, Limit... limits) {
    RateLimiter.Builder builder = RateLimiter.builder().name(name).store(store);
    for (int i = 0; i < limits.length; i++) {
      builder.limit("limit-" + (i + 1), limits[i]);
    }
    RateLimiter limiter = builder.build();
    for (int i = 0; i < admissions; i++) {
      limiter.decide("user-42");
    }
    String key =
        redis.commandList("KEYS", "weir:1:default:*" + name + "|*").stream()
            .findFirst()
            .orElseThrow();
    long bytes = Long.parseLong(redis.command("MEMORY", "USAGE", key, "SAMPLES", "0").substring(1));
    System.out.println(name + ", " + admissions + " admissions: " + bytes + " bytes, key " + key);
    return bytes;
  }
}
