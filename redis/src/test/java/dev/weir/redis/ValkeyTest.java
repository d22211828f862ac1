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

/** The contract on Valkey, where it is installed. */
@Tag("slow")
@Tag("external")
final class ValkeyTest extends LimitStoreContract {
  @RegisterExtension
  static final RedisServers SERVERS =
      RedisServers.of(() -> ExternalPrograms.require(RedisBinary.valkey(), "valkey-server"));

  @Override
  protected LimitStore open(TimeSource time) {
    return RedisStore.builder(SERVERS.redis().uri())
        .timeout(Duration.ofSeconds(10))
        .clientTime(time)
        .build();
  }
}
