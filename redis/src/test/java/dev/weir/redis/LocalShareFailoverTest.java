package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Source;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisCluster;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 47 on a Cluster: local shares end when a replica has taken over at another address. */
@Tag("slow")
@Timeout(180)
final class LocalShareFailoverTest {
  private RedisCluster cluster;
  private RedisProcess replica;
  private List<GuardedInstance> pair;

  @BeforeEach
  void start() {
    cluster = RedisCluster.start(3);
    replica = RedisProcess.start("--cluster-enabled", "yes", "--cluster-node-timeout", "2000");
    replicate(cluster.masters().get(0));
    pair = Stream.generate(() -> GuardedInstance.of(cluster.uri(), 2)).limit(2).toList();
  }

  @AfterEach
  void stop() {
    pair.forEach(GuardedInstance::close);
    replica.close();
    cluster.close();
  }

  @Test
  void localSharesEndAndAreChargedAfterAFailover() {
    String key = keyOfFirstMaster();
    pair.forEach(instance -> instance.decide(key, 23));
    int before = admitted();
    assertThat(before).isEqualTo(46);
    Awaitility.await()
        .until(() -> cluster.masters().get(0).command("WAIT", "1", "1000").equals(":1"));
    cluster.masters().get(0).kill();
    pair.forEach(instance -> instance.awaitSource(key, Source.FALLBACK));
    pair.forEach(instance -> instance.decide(key, 200));
    long start = System.nanoTime();
    Awaitility.await().atMost(GuardedInstance.SOON).until(() -> isMaster(replica));
    pair.forEach(GuardedInstance::awaitSettled);
    Duration recovery = Duration.ofNanos(System.nanoTime() - start);
    pair.forEach(instance -> instance.awaitSource(key, Source.STORE));
    pair.forEach(instance -> instance.decide(key, 50));
    assertThat(admitted()).isLessThanOrEqualTo(before + (int) GuardedInstance.LIMIT);
    FaultReport.row(
        "47 Cluster failover with local shares, two instances",
        1,
        before
            + " used before, "
            + admitted()
            + " admitted in all, bound "
            + (before + GuardedInstance.LIMIT)
            + "; shares ended and charged",
        pair.get(0).longest,
        recovery);
  }

  private void replicate(RedisProcess master) {
    replica.command("CLUSTER", "MEET", "127.0.0.1", String.valueOf(master.port()));
    String id = master.command("CLUSTER", "MYID");
    Awaitility.await()
        .atMost(GuardedInstance.SOON)
        .until(() -> replica.command("CLUSTER", "REPLICATE", id).equals("+OK"));
    Awaitility.await()
        .atMost(GuardedInstance.SOON)
        .until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
    cluster
        .masters()
        .forEach(
            each ->
                Awaitility.await()
                    .atMost(GuardedInstance.SOON)
                    .until(() -> each.command("CLUSTER", "NODES").contains("slave " + id)));
  }

  private static boolean isMaster(RedisProcess node) {
    return node.command("INFO", "replication").contains("role:master");
  }

  private String keyOfFirstMaster() {
    return IntStream.range(0, 10_000)
        .mapToObj(i -> "key-" + i)
        .filter(key -> cluster.owner(slotOf(key)) == cluster.masters().get(0))
        .findFirst()
        .orElseThrow();
  }

  private static int slotOf(String key) {
    Claim claim = Claim.of(GuardedInstance.policy(FailurePolicy.LOCAL), key);
    return Topology.clusterSlot(new KeyNames("default").of(claim, false));
  }

  private int admitted() {
    return pair.stream().mapToInt(GuardedInstance::admitted).sum();
  }
}
