package dev.weir.redis;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.weir.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.TimeoutOptions.TimeoutSource;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timer;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to a server that may come and go.
 *
 * <p>The client's options are chosen so that nothing is ever replayed: while the server is away,
 * calls fail at once, and what was under way fails when the connection breaks. Once there was a
 * connection, the client renews it with a jittered delay; until there is a first one, and after one
 * has stopped answering, this class tries again by itself.
 */
final class Connector implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Connector.class.getName());
  private static final Duration SHORTEST_DELAY = Duration.ofMillis(50);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  /** How late a timeout may be; the client's own clock would add up to 100 ms to each. */
  private static final int TICK_MILLIS = 10;

  private static final ThreadFactory CLOCK_THREADS =
      new DefaultThreadFactory("weir-redis-timeouts", true);

  private final RedisURI uri;
  private final String address;
  private final KeyNames names;
  private final List<Script> scripts;
  private final RedisClient client;
  private final @Nullable ClientResources ownedResources;
  private final Timer timer = new HashedWheelTimer(CLOCK_THREADS, TICK_MILLIS, MILLISECONDS);

  private volatile @Nullable StatefulRedisConnection<byte[], byte[]> connection;
  private volatile @Nullable StoreUnavailableException lastFailure;
  private volatile List<String> warnings = List.of();
  private volatile boolean closed;

  private Connector(RedisStore.Builder builder, List<Script> scripts) {
    this.uri = builder.uri;
    this.address = uri.getHost() + ":" + uri.getPort();
    this.names = builder.names;
    this.scripts = scripts;
    this.ownedResources = builder.client == null ? resources() : null;
    this.client = ownedResources == null ? builder.client : RedisClient.create(ownedResources);
    uri.setTimeout(builder.connectTimeout); // of the handshake
    if (ownedResources != null) {
      client.setOptions(options(builder));
    }
  }

  static Connector open(RedisStore.Builder builder, List<Script> scripts) {
    Connector connector = new Connector(builder, scripts);
    try {
      connector.connect().join();
    } catch (CompletionException failed) {
      StoreUnavailableException failure = connector.explain(failed);
      if (builder.requireServer) {
        connector.close();
        throw failure;
      }
      LOG.log(Level.WARNING, "starting without a store: {0}", failure.getMessage());
      connector.lastFailure = failure;
      connector.tryAgain(SHORTEST_DELAY);
    }
    return connector;
  }

  private ClientResources resources() {
    return ClientResources.builder()
        .timer(timer)
        .reconnectDelay(Delay.fullJitter(SHORTEST_DELAY, LONGEST_DELAY, 50, MILLISECONDS))
        .build();
  }

  private static ClientOptions options(RedisStore.Builder builder) {
    return ClientOptions.builder()
        .autoReconnect(true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(builder.maxInFlight + 100) // room for loading scripts
        .timeoutOptions(TimeoutOptions.builder().timeoutSource(timeouts(builder)).build())
        .socketOptions(SocketOptions.builder().connectTimeout(builder.connectTimeout).build())
        .build();
  }

  /** Making a connection useful belongs to connecting: a cold JVM takes its time over it. */
  private static TimeoutSource timeouts(RedisStore.Builder builder) {
    long callMillis = builder.timeout.toMillis();
    long otherMillis = builder.connectTimeout.toMillis();
    return new TimeoutSource() {
      @Override
      public long getTimeout(RedisCommand<?, ?, ?> command) {
        return command.getType() == CommandType.EVALSHA ? callMillis : otherMillis;
      }
    };
  }

  String address() {
    return address;
  }

  @Nullable StatefulRedisConnection<byte[], byte[]> connection() {
    return connection;
  }

  List<String> warnings() {
    return warnings;
  }

  StoreUnavailableException unavailable() {
    StoreUnavailableException known = lastFailure;
    return known == null
        ? new StoreUnavailableException("the store at " + address + " is closed")
        : known;
  }

  private CompletableFuture<Void> connect() {
    return client
        .connectAsync(ByteArrayCodec.INSTANCE, uri)
        .toCompletableFuture()
        .thenCompose(
            made ->
                ServerCheck.of(made, scripts, names)
                    .thenAccept(found -> use(made, found))
                    .whenComplete(
                        (done, failure) -> {
                          if (failure != null) {
                            made.closeAsync();
                          }
                        }));
  }

  private void use(StatefulRedisConnection<byte[], byte[]> made, List<String> found) {
    found.forEach(warning -> LOG.log(Level.WARNING, warning));
    synchronized (this) {
      if (!closed) {
        warnings = found;
        connection = made;
        return;
      }
    }
    made.closeAsync();
  }

  /**
   * Gives up a connection that has stopped answering, and makes another. A connection can be dead
   * without an end: a router that has forgotten it tells nobody, and TCP alone takes a quarter of
   * an hour to notice.
   */
  void leave(StatefulRedisConnection<byte[], byte[]> silent) {
    synchronized (this) {
      if (closed || connection != silent) {
        return;
      }
      connection = null;
      lastFailure = new StoreUnavailableException("Redis at " + address + " has stopped answering");
    }
    LOG.log(Level.WARNING, "the store at {0} has stopped answering; connecting again", address);
    silent.closeAsync();
    tryAgain(SHORTEST_DELAY);
  }

  private void tryAgain(Duration delay) {
    long jitter = ThreadLocalRandom.current().nextLong(delay.toMillis()) + 1;
    CompletableFuture.delayedExecutor(jitter, MILLISECONDS)
        .execute(
            () -> {
              if (!closed) {
                connect().whenComplete((done, failure) -> connected(failure, delay));
              }
            });
  }

  private void connected(@Nullable Throwable failure, Duration delay) {
    if (failure == null) {
      LOG.log(Level.INFO, "connected to the store at {0}", address);
      return;
    }
    synchronized (this) {
      if (closed) {
        return;
      }
      lastFailure = explain(failure);
    }
    Duration longer = delay.multipliedBy(2);
    tryAgain(longer.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : longer);
  }

  private StoreUnavailableException explain(Throwable failure) {
    return Failures.of(failure, address, names);
  }

  @Override
  public void close() {
    StatefulRedisConnection<byte[], byte[]> open;
    synchronized (this) {
      closed = true;
      open = connection;
      connection = null;
      lastFailure = null;
    }
    if (open != null) {
      open.close();
    }
    if (ownedResources != null) {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      ownedResources.shutdown(0, 1, TimeUnit.SECONDS);
    }
    timer.stop();
  }
}
