package dev.weir.redis.internal.connection;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.TimeoutOptions.TimeoutSource;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * How every client of ours is set up: nothing is ever replayed. While a server is away, calls fail
 * at once; what was under way fails when the connection breaks; reconnecting is jittered.
 */
final class ClientSettings {
  static final Duration SHORTEST_DELAY = Duration.ofMillis(50);
  static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  /** How late a timeout may be. */
  private static final int TICK_MILLIS = 10;

  private static final ThreadFactory TIMER_THREADS =
      new DefaultThreadFactory("weir-redis-timeouts", true);

  private ClientSettings() {}

  /** A clock of our own: the client's would add up to 100 ms to each timeout. */
  static Timer timer() {
    return new HashedWheelTimer(TIMER_THREADS, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  static ClientResources resources(Timer timer) {
    return ClientResources.builder()
        .timer(timer)
        .reconnectDelay(
            () -> Delay.fullJitter(SHORTEST_DELAY, LONGEST_DELAY, 50, TimeUnit.MILLISECONDS))
        .build();
  }

  static ClientOptions.Builder apply(ConnectionSettings settings, ClientOptions.Builder options) {
    return options
        .autoReconnect(true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(settings.maxInFlight() + 100) // room for loading scripts
        .timeoutOptions(TimeoutOptions.builder().timeoutSource(timeouts(settings)).build())
        .socketOptions(SocketOptions.builder().connectTimeout(settings.connectTimeout()).build());
  }

  /** Making a connection useful belongs to connecting: a cold JVM takes its time over it. */
  private static TimeoutSource timeouts(ConnectionSettings settings) {
    long callMillis = settings.timeout().toMillis();
    long otherMillis = settings.connectTimeout().toMillis();
    return new TimeoutSource() {
      @Override
      public long getTimeout(RedisCommand<?, ?, ?> command) {
        return command.getType() == CommandType.EVALSHA ? callMillis : otherMillis;
      }
    };
  }

  static void shutdown(ClientResources resources) {
    resources.shutdown(0, 2, TimeUnit.SECONDS);
  }
}
