package dev.weir.redis;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** Keys that live on a given server of a Cluster. */
final class ShardKeys {
  private static final KeyNames NAMES = new KeyNames("default");
  private static final Policy ANY =
      Policy.of("rule", "any", Limit.fixedWindow(1, Duration.ofDays(1)));

  private ShardKeys() {}

  static List<String> of(RedisCluster cluster, RedisProcess master, int count) {
    return IntStream.range(0, 100_000)
        .mapToObj(i -> "key-" + i)
        .filter(key -> cluster.owner(slot(key)) == master)
        .limit(count)
        .toList();
  }

  static int slot(String key) {
    return Topology.clusterSlot(NAMES.of(Claim.of(ANY, key), false));
  }
}
