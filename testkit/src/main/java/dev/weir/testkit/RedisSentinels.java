package dev.weir.testkit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * A real master, its replica, and three Sentinels that watch them, for tests. Used by one thread.
 */
public final class RedisSentinels implements AutoCloseable {
  private static final String NAME = "weir";
  private static final Duration FORMATION = Duration.ofSeconds(40);

  private final RedisProcess master;
  private final RedisProcess replica;
  private final List<RedisProcess> sentinels = new ArrayList<>();

  private RedisSentinels() {
    master = RedisProcess.start();
    replica =
        RedisProcess.start(
            "--replicaof",
            "127.0.0.1",
            String.valueOf(master.port()),
            "--repl-diskless-sync",
            "yes",
            "--repl-diskless-sync-delay",
            "0");
  }

  /**
   * Starts all five from the embedded server; a master that does not answer for a second is
   * replaced.
   */
  public static RedisSentinels start() {
    RedisSentinels group = new RedisSentinels();
    try {
      for (int i = 0; i < 3; i++) {
        group.sentinels.add(group.watch(RedisProcess.start("--sentinel")));
      }
      group.awaitFormation();
    } catch (RuntimeException e) {
      group.close();
      throw e;
    }
    return group;
  }

  /** The server that was the master at the start. */
  public RedisProcess master() {
    return master;
  }

  /** The server that was its replica at the start. */
  public RedisProcess replica() {
    return replica;
  }

  /** Makes the Sentinels agree on the replica now, with the old master still alive. */
  public void failOver() {
    sentinels.get(0).command("SENTINEL", "FAILOVER", NAME);
  }

  public List<Integer> sentinelPorts() {
    return sentinels.stream().map(RedisProcess::port).toList();
  }

  public String uri() {
    return "redis-sentinel://"
        + sentinels.stream()
            .map(sentinel -> "127.0.0.1:" + sentinel.port())
            .collect(Collectors.joining(","))
        + "/0#"
        + NAME;
  }

  private RedisProcess watch(RedisProcess sentinel) {
    String port = String.valueOf(master.port());
    sentinel.command("SENTINEL", "MONITOR", NAME, "127.0.0.1", port, "2");
    sentinel.command("SENTINEL", "SET", NAME, "down-after-milliseconds", "1000");
    sentinel.command("SENTINEL", "SET", NAME, "failover-timeout", "4000");
    return sentinel;
  }

  private void awaitFormation() {
    long deadline = System.nanoTime() + FORMATION.toNanos();
    while (!isFormed()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the Sentinels did not find each other");
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
  }

  private boolean isFormed() {
    return replica.command("INFO", "replication").contains("master_link_status:up")
        && sentinels.stream()
            .map(sentinel -> sentinel.command("INFO", "sentinel"))
            .allMatch(info -> info.contains("slaves=1,sentinels=3"));
  }

  @Override
  public void close() {
    sentinels.forEach(RedisProcess::close);
    replica.close();
    master.close();
  }
}
