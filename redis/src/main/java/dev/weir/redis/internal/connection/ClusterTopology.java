package dev.weir.redis.internal.connection;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** A Redis Cluster; the client follows its topology. */
final class ClusterTopology implements Topology {
  private final List<RedisURI> seeds;
  private final Timer timer = ClientSettings.timer();
  private final ClientResources resources = ClientSettings.resources(timer);
  private final RedisClusterClient client;

  ClusterTopology(ConnectionSettings settings, List<RedisURI> seeds) {
    this.seeds = seeds;
    seeds.forEach(seed -> seed.setTimeout(settings.connectTimeout()));
    client = RedisClusterClient.create(resources, seeds);
    client.setOptions(options(settings));
  }

  private static ClusterClientOptions options(ConnectionSettings settings) {
    ClusterTopologyRefreshOptions refresh =
        ClusterTopologyRefreshOptions.builder()
            .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
            .enablePeriodicRefresh(Duration.ofSeconds(15))
            .build();
    ClusterClientOptions.Builder options = ClusterClientOptions.builder();
    ClientSettings.apply(settings, options);
    return options.topologyRefreshOptions(refresh).validateClusterNodeMembership(false).build();
  }

  @Override
  public CompletableFuture<Opened> open() {
    return client
        .refreshPartitionsAsync()
        .thenCompose(found -> client.connectAsync(ByteArrayCodec.INSTANCE))
        .toCompletableFuture()
        .thenApply(made -> new Opened(true, made, made.async(), made.async()));
  }

  @Override
  public String address() {
    return "Cluster "
        + seeds.stream()
            .map(each -> each.getHost() + ":" + each.getPort())
            .collect(Collectors.joining(","));
  }

  @Override
  public boolean isSpread() {
    return true;
  }

  @Override
  public int slot(String keyName) {
    return Topology.clusterSlot(keyName);
  }

  @Override
  public String node(String keyName) {
    RedisClusterNode owner = client.getPartitions().getPartitionBySlot(slot(keyName));
    return owner == null
        ? "an unassigned slot"
        : owner.getUri().getHost() + ":" + owner.getUri().getPort();
  }

  @Override
  public void close() {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    ClientSettings.shutdown(resources);
    timer.stop();
  }
}
