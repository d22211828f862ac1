package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract on the master that three Sentinels name. */
@Tag("slow")
final class SentinelTest extends LimitStoreContract {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  @Override
  protected LimitStore open(TimeSource time) {
    return RedisStore.builder(SERVERS.sentinels().uri())
        .timeout(Duration.ofSeconds(10))
        .clientTime(time)
        .build();
  }
}
