package dev.weir.redis.internal.connection;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Options of our own clients. No command is ever replayed: the client does not reconnect by itself,
 * so calls under way fail when their connection ends.
 */
final class ClientSettings {
  private static final int MAX_CONSOLIDATED = 256;

  private static final KeepAliveOptions OFTEN =
      KeepAliveOptions.builder()
          .enable()
          .idle(Duration.ofSeconds(15))
          .interval(Duration.ofSeconds(5))
          .count(3)
          .build();

  private ClientSettings() {}

  /**
   * Switches TCP keep-alive on, with our times if this JVM can set them, which needs the module
   * jdk.net and depends on the system. Idle connections are also pinged.
   */
  private static void keepAlive(SocketOptions.Builder options) {
    if (canSetKeepAliveTimes()) {
      options.keepAlive(OFTEN);
    } else {
      options.keepAlive(true);
    }
  }

  private static boolean canSetKeepAliveTimes() {
    try (Socket unconnected = new Socket()) {
      return unconnected.supportedOptions().stream()
          .anyMatch(option -> option.name().equals("TCP_KEEPIDLE"));
    } catch (IOException impossible) {
      return false; // closing a socket that was never connected does not fail
    }
  }

  static RedisClient client(
      ConnectionSettings settings, Optional<SslOptions> tls, ClientResources resources) {
    RedisClient client = RedisClient.create(resources);
    SocketOptions.Builder sockets =
        SocketOptions.builder().connectTimeout(settings.connectTimeout());
    keepAlive(sockets);
    ClientOptions.Builder options = ClientOptions.builder();
    tls.ifPresent(options::sslOptions);
    client.setOptions(
        options
            .autoReconnect(false)
            .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
            .requestQueueSize(settings.maxInFlight() + 100) // room for loading scripts
            .socketOptions(sockets.build())
            .build());
    return client;
  }

  static ClientResources resources(RetryTimer timer, boolean isSpread) {
    ClientResources.Builder resources = ClientResources.builder().timer(timer.timer());
    if (isSpread) {
      resources.nettyCustomizer(new FlushConsolidation());
    }
    return resources.build();
  }

  /**
   * Writes several calls with one system call. On a Cluster, questions of several claims for
   * different hash slots cannot be batched, and a system call per decision would be most of its
   * cost. A single server gets each batch at once: it would be idle otherwise while the callers of
   * the answer before are woken, because what is written during a read waits for its end.
   */
  private static final class FlushConsolidation implements NettyCustomizer {
    @Override
    public void afterChannelInitialized(Channel channel) {
      channel.pipeline().addFirst(new FlushConsolidationHandler(MAX_CONSOLIDATED, true));
    }
  }

  /**
   * Checks a caller's client: any options are accepted, except those that could send a call twice.
   * A client that reconnects by itself resends the calls that were under way.
   */
  static RedisClient checked(RedisClient client) {
    ClientOptions options = client.getOptions();
    DisconnectedBehavior behavior = options.getDisconnectedBehavior();
    if (options.isAutoReconnect() || behavior == DisconnectedBehavior.ACCEPT_COMMANDS) {
      throw new IllegalArgumentException(
          "client must not reconnect by itself, and must reject commands while it is disconnected,"
              + " or calls could be sent twice; set ClientOptions.autoReconnect(false), was "
              + behavior
              + (options.isAutoReconnect() ? " with autoReconnect" : ""));
    }
    return client;
  }

  static void shutdown(RedisClient client, ClientResources resources) {
    client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    resources.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
