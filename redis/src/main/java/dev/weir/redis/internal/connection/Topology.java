package dev.weir.redis.internal.connection;

import dev.weir.StoreUnavailableException;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The servers behind an address: a single one, the master that Sentinels know, or a Cluster. Safe
 * for many threads; nothing here waits or throws, except {@link #close}.
 */
public interface Topology extends AutoCloseable {
  /**
   * Starts to connect, and goes on trying until closed.
   *
   * @return completes when calls can be sent, or fails with the first attempt
   */
  CompletableFuture<Void> start();

  /** For messages; without the password. */
  String address();

  /** Whether keys are spread over hash slots, each of which needs a call of its own. */
  boolean isSpread();

  /** The hash slot of a key; always the same for a single server. */
  int slot(String keyName);

  /** The server that a hash slot lives on; null while that is not known. */
  @Nullable NodeConnection node(int slot);

  /** The server at an address from a redirection of the Cluster; null if there is none. */
  @Nullable NodeConnection nodeAt(String hostAndPort);

  /** Notes that a server has redirected a call: the hash slot lives at this address now. */
  void moved(int slot, String hostAndPort);

  /** Notes that the server of this hash slot is a replica. */
  void readOnly(int slot);

  /** Whether calls can be sent to at least one server. */
  boolean isConnected();

  /** Sets what is run after every new connection. */
  void whenConnected(Runnable connected);

  /** A new exception that says why no server is known for a hash slot. */
  StoreUnavailableException unavailable();

  /** What an operator should know about the servers now. */
  List<String> warnings();

  RetryTimer timer();

  @Override
  void close();

  /** The hash slot of a key on any Cluster. */
  static int clusterSlot(String keyName) {
    return SlotHash.getSlot(keyName.getBytes(StandardCharsets.US_ASCII));
  }
}
