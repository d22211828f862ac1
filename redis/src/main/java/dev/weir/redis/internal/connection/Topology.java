package dev.weir.redis.internal.connection;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import io.lettuce.core.api.async.RedisServerAsyncCommands;
import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** What stands behind an address: one server, the master that Sentinels know, or a Cluster. */
public interface Topology extends AutoCloseable {
  CompletableFuture<Opened> open();

  /** Has this called whenever another server is known to stand behind the address. */
  default void whenMoved(Runnable moved) {}

  /** For messages; without the password. */
  String address();

  /** Whether keys are spread over servers, and over slots that cannot be asked for in one call. */
  default boolean isSpread() {
    return false;
  }

  /** The slot of a key; one server is all one slot. */
  default int slot(String keyName) {
    return 0;
  }

  /** The server that a key lives on, for messages and breakers. */
  default String node(String keyName) {
    return address();
  }

  @Override
  void close();

  /** The slot of a key on any Cluster. */
  static int clusterSlot(String keyName) {
    return SlotHash.getSlot(keyName.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * A connection and the two kinds of commands we send over it.
   *
   * @param spread whether commands sent one after another may reach different servers
   */
  record Opened(
      boolean spread,
      StatefulConnection<byte[], byte[]> connection,
      RedisScriptingAsyncCommands<byte[], byte[]> scripting,
      RedisServerAsyncCommands<byte[], byte[]> server) {}
}
