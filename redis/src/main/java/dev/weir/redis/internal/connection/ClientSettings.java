package dev.weir.redis.internal.connection;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How a client of ours is set up: nothing is ever replayed. The client makes connections and never
 * renews them, so that what was under way fails when its connection ends.
 */
final class ClientSettings {
  private static final KeepAliveOptions KEEP_ALIVE =
      KeepAliveOptions.builder()
          .enable()
          .idle(Duration.ofSeconds(15))
          .interval(Duration.ofSeconds(5))
          .count(3)
          .build();

  private ClientSettings() {}

  static RedisClient client(ConnectionSettings settings, ClientResources resources) {
    RedisClient client = RedisClient.create(resources);
    client.setOptions(
        ClientOptions.builder()
            .autoReconnect(false)
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(settings.maxInFlight() + 100) // room for loading scripts
            .socketOptions(
                SocketOptions.builder()
                    .connectTimeout(settings.connectTimeout())
                    .keepAlive(KEEP_ALIVE)
                    .build())
            .build());
    return client;
  }

  static ClientResources resources(RetryTimer timer) {
    return ClientResources.builder().timer(timer.timer()).build();
  }

  /** A client of the caller's may have any options but those that would send a call twice. */
  static RedisClient checked(RedisClient client) {
    ClientOptions options = client.getOptions();
    boolean rejects =
        switch (options.getDisconnectedBehavior()) {
          case REJECT_COMMANDS -> true;
          case ACCEPT_COMMANDS -> false;
          case DEFAULT -> !options.isAutoReconnect();
        };
    if (!rejects) {
      throw new IllegalArgumentException(
          "client must reject commands while it is disconnected, or calls could be sent twice; set"
              + " ClientOptions.disconnectedBehavior(REJECT_COMMANDS), was "
              + options.getDisconnectedBehavior()
              + (options.isAutoReconnect() ? " with autoReconnect" : ""));
    }
    return client;
  }

  static void shutdown(RedisClient client, ClientResources resources) {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    resources.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
