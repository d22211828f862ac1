package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.ExternalPrograms;
import dev.weir.testkit.LimitStoreContract;
import dev.weir.testkit.RedisBinary;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on the Redis server of this machine. */
@Tag("external")
final class InstalledRedisTest extends LimitStoreContract {
  @RegisterExtension
  static final RedisServers SERVERS =
      RedisServers.of(() -> ExternalPrograms.require(RedisBinary.installed(), "redis-server"));

  @Override
  protected LimitStore open(TimeSource time) {
    return RedisStore.builder(SERVERS.redis().uri())
        .timeout(Duration.ofSeconds(10))
        .clientTime(time)
        .build();
  }
}
