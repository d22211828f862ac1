package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on Redis 6.2, the oldest server that is supported. */
final class EmbeddedRedisTest extends LimitStoreContract {
  private static RedisProcess redis;

  @BeforeAll
  static void start() {
    redis = RedisProcess.start();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @Override
  protected LimitStore open(TimeSource time) {
    return RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(10)).clientTime(time).build();
  }
}
