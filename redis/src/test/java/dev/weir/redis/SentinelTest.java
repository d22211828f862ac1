package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the master that three Sentinels name. */
final class SentinelTest extends LimitStoreContract {
  private static RedisSentinels sentinels;

  @BeforeAll
  static void start() {
    sentinels = RedisSentinels.start();
  }

  @AfterAll
  static void stop() {
    sentinels.close();
  }

  @Override
  protected LimitStore open(TimeSource time) {
    return RedisStore.builder(sentinels.uri())
        .timeout(Duration.ofSeconds(10))
        .clientTime(time)
        .build();
  }
}
