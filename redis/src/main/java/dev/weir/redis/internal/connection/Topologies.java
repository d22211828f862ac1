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
   * Connects, and waits for the first attempt. If no server is required, the attempt may fail.
   *
   * @param scripts texts of the scripts to load on every server
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

  /** Waits for three steps, of which the handshake is one; each has the timeout of connecting. */
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
