package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.External;
import dev.weir.testkit.LimitStoreContract;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The contract on Valkey, where it is installed. */
@Tag("external")
final class ValkeyTest extends LimitStoreContract {
  private static RedisProcess redis;

  @BeforeAll
  static void start() {
    redis = RedisProcess.start(External.require(RedisBinary.valkey(), "valkey-server"));
  }

  @AfterAll
  static void stop() {
    if (redis != null) {
      redis.close();
    }
  }

  @Override
  protected LimitStore open(TimeSource time) {
    return RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(10)).clientTime(time).build();
  }
}
