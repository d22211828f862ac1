package dev.weir.testkit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A real Redis Cluster of masters on this machine, for tests. Used by one thread. */
public final class RedisCluster implements AutoCloseable {
  /** The slots of any Cluster. */
  public static final int SLOTS = 16_384;

  private static final Duration FORMATION = Duration.ofSeconds(40);

  private final List<RedisProcess> masters = new ArrayList<>();

  private RedisCluster() {}

  /** Starts masters that share the slots evenly, from the embedded server. */
  public static RedisCluster start(int masters) {
    return start(RedisBinary.embedded(), masters);
  }

  public static RedisCluster start(Path binary, int masters) {
    RedisCluster cluster = new RedisCluster();
    try {
      for (int i = 0; i < masters; i++) {
        cluster.masters.add(
            RedisProcess.start(
                binary,
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout",
                "2000",
                "--cluster-require-full-coverage",
                "no"));
      }
      cluster.form();
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  public List<RedisProcess> masters() {
    return List.copyOf(masters);
  }

  public String uri() {
    return "redis-cluster://"
        + masters.stream()
            .map(master -> "127.0.0.1:" + master.port())
            .collect(Collectors.joining(","));
  }

  /** Moves one slot with all its keys from one master to another. */
  public void moveSlot(int slot, RedisProcess from, RedisProcess to) {
    String slotText = String.valueOf(slot);
    to.command("CLUSTER", "SETSLOT", slotText, "IMPORTING", id(from));
    from.command("CLUSTER", "SETSLOT", slotText, "MIGRATING", id(to));
    for (String key = firstKey(from, slotText); !key.isEmpty(); key = firstKey(from, slotText)) {
      from.command("MIGRATE", "127.0.0.1", String.valueOf(to.port()), key, "0", "5000");
    }
    to.command("CLUSTER", "SETSLOT", slotText, "NODE", id(to));
    from.command("CLUSTER", "SETSLOT", slotText, "NODE", id(to));
  }

  /** The master that owns a slot in the even distribution a Cluster starts with. */
  public RedisProcess owner(int slot) {
    return masters.get(slot * masters.size() / SLOTS);
  }

  private static String firstKey(RedisProcess node, String slot) {
    return node.commandList("CLUSTER", "GETKEYSINSLOT", slot, "1").stream().findFirst().orElse("");
  }

  private static String id(RedisProcess node) {
    return node.command("CLUSTER", "MYID");
  }

  private void form() {
    for (int i = 0; i < masters.size(); i++) {
      masters.get(i).command(addSlots(i));
      masters.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
      masters.get(i).command("CLUSTER", "MEET", "127.0.0.1", String.valueOf(masters.get(0).port()));
    }
    long deadline = System.nanoTime() + FORMATION.toNanos();
    while (!masters.stream().allMatch(this::seesAll)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the Cluster did not form");
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  private String[] addSlots(int master) {
    List<String> words = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
    IntStream.range(0, SLOTS)
        .filter(slot -> slot * masters.size() / SLOTS == master)
        .forEach(slot -> words.add(String.valueOf(slot)));
    return words.toArray(String[]::new);
  }

  private boolean seesAll(RedisProcess node) {
    String info = node.command("CLUSTER", "INFO");
    return info.contains("cluster_state:ok")
        && info.contains("cluster_slots_ok:" + SLOTS)
        && info.contains("cluster_size:" + masters.size());
  }

  @Override
  public void close() {
    masters.forEach(RedisProcess::close);
  }
}
