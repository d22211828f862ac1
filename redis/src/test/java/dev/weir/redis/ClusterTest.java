package dev.weir.redis;

import dev.weir.TimeSource;
import dev.weir.spi.LimitStore;
import dev.weir.testkit.LimitStoreContract;
import dev.weir.testkit.RedisCluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on a Cluster of three masters. */
final class ClusterTest extends LimitStoreContract {
  private static RedisCluster cluster;

  @BeforeAll
  static void start() {
    cluster = RedisCluster.start(3);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Override
  protected LimitStore open(TimeSource time) {
    return RedisStore.builder(cluster.uri())
        .timeout(Duration.ofSeconds(10))
        .clientTime(time)
        .build();
  }
}
