package dev.weir.redis.internal.connection;

import dev.weir.StoreUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens the topology that an address names. */
public final class Topologies {
  private Topologies() {}

  /**
   * Connects; waits for the first attempt, and if no server is required goes on without.
   *
   * @param scripts texts of the scripts that every server is given
   * @throws IllegalArgumentException if the address is faulty
   * @throws StoreUnavailableException if a server is required and none can be used
   */
  public static Topology open(ConnectionSettings settings, List<String> scripts) {
    Topology topology = of(settings, scripts);
    try {
      await(topology, settings.connectTimeout());
    } catch (StoreUnavailableException failure) {
      if (settings.requireServer()) {
        topology.close();
        throw failure;
      }
    }
    return topology;
  }

  private static Topology of(ConnectionSettings settings, List<String> scripts) {
    ServerAddress address = settings.address();
    return address.kind() == ServerAddress.TopologyKind.CLUSTER
        ? new ClusterTopology(settings, address, scripts)
        : new StandaloneTopology(settings, address, scripts);
  }

  /** Each step has the timeout of connecting; there are three of them, the handshake included. */
  private static void await(Topology topology, Duration connectTimeout) {
    CompletableFuture<Void> started = topology.start();
    try {
      started.get(connectTimeout.multipliedBy(3).toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException failed) {
      throw topology.unavailable();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted while connecting to " + topology.address());
    }
  }
}
