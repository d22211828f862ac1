package dev.weir.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisSentinels;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** FAULTS 5: a promotion that the Sentinels announced while nobody could hear them. */
@Tag("slow")
final class SentinelWatchTest {
  private static final Duration SOON = Duration.ofSeconds(60);

  @Test
  void aPromotionDuringASilentConnectionIsNoticedLater() {
    List<HostAndPort> masters = new CopyOnWriteArrayList<>();
    try (RedisSentinels group = RedisSentinels.start()) {
      List<FaultProxy> proxies = group.sentinelPorts().stream().map(FaultProxy::to).toList();
      ServerAddress address = AddressParser.parse(address(proxies));
      ConnectionSettings settings = settings(address);
      ConnectedClient client = ConnectedClient.of(settings, false);
      SentinelWatch watch =
          new SentinelWatch(
              client, address.uri(settings.connectTimeout()), address.master(), masters::add);
      watch.start();
      // Each Sentinel was subscribed to and asked.
      await().atMost(SOON).until(() -> proxies.stream().allMatch(one -> one.connections() >= 2));

      proxies.forEach(FaultProxy::blackhole);
      group.failOver();
      await()
          .atMost(SOON)
          .until(() -> group.replica().command("INFO", "replication").contains("role:master"));
      assertThat(masters).isEmpty();
      proxies.forEach(FaultProxy::pass);
      HostAndPort promoted = new HostAndPort("127.0.0.1", group.replica().port());
      await().atMost(SOON).until(() -> List.copyOf(masters).equals(List.of(promoted)));

      client.closeAfter(List.of(watch.close()));
      proxies.forEach(FaultProxy::close);
    }
    FaultReport.row(
        "5 promotion announced on connections that were dropped without a word",
        1,
        "noticed when a Sentinel could be reached again");
  }

  private static String address(List<FaultProxy> proxies) {
    return proxies.stream()
        .map(proxy -> "127.0.0.1:" + proxy.port())
        .collect(Collectors.joining(",", "redis-sentinel://", "/0#weir"));
  }

  private static ConnectionSettings settings(ServerAddress address) {
    return new ConnectionSettings(
        address.toString(),
        null,
        Optional.empty(),
        Optional.empty(),
        new KeyNames("default"),
        Duration.ofSeconds(2),
        Duration.ofSeconds(2),
        100,
        false);
  }
}
