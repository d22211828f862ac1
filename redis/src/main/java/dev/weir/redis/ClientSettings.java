package dev.weir.redis;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How every client of ours is set up: nothing is ever replayed. While a server is away, calls fail
 * at once; what was under way fails when the connection breaks; reconnecting is jittered.
 */
final class ClientSettings {
  static final Duration SHORTEST_DELAY = Duration.ofMillis(50);
  static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  private ClientSettings() {}

  static ClientResources resources() {
    return ClientResources.builder()
        .reconnectDelay(
            () -> Delay.fullJitter(SHORTEST_DELAY, LONGEST_DELAY, 50, TimeUnit.MILLISECONDS))
        .build();
  }

  static ClientOptions.Builder apply(RedisStore.Builder builder, ClientOptions.Builder options) {
    return options
        .autoReconnect(true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(builder.maxInFlight + 100) // room for loading scripts
        .timeoutOptions(TimeoutOptions.enabled(builder.timeout))
        .socketOptions(SocketOptions.builder().connectTimeout(builder.connectTimeout).build());
  }

  static void shutdown(ClientResources resources) {
    resources.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
