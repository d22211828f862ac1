package dev.weir.redis;

import dev.weir.StoreUnavailableException;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one connection to a server that may come and go.
 *
 * <p>The client's options are chosen so that nothing is ever replayed: while the server is away,
 * calls fail at once, and what was under way fails when the connection breaks. Once there was a
 * connection, the client renews it with a jittered delay; until there is a first one, this class
 * tries again by itself.
 */
final class Connector implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Connector.class.getName());
  private static final Duration SHORTEST_DELAY = Duration.ofMillis(50);
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(2);

  private final RedisURI uri;
  private final String address;
  private final KeyNames names;
  private final List<Script> scripts;
  private final RedisClient client;
  private final @Nullable ClientResources ownedResources;

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
    uri.setTimeout(builder.timeout);
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

  private static ClientResources resources() {
    return ClientResources.builder()
        .reconnectDelay(Delay.fullJitter(SHORTEST_DELAY, LONGEST_DELAY, 50, TimeUnit.MILLISECONDS))
        .build();
  }

  private static ClientOptions options(RedisStore.Builder builder) {
    return ClientOptions.builder()
        .autoReconnect(true)
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .requestQueueSize(builder.maxInFlight + 100) // room for loading scripts
        .timeoutOptions(TimeoutOptions.enabled(builder.timeout))
        .socketOptions(SocketOptions.builder().connectTimeout(builder.connectTimeout).build())
        .build();
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
    warnings = found;
    connection = made;
    if (closed) {
      made.closeAsync();
    }
  }

  private void tryAgain(Duration delay) {
    long jitter = ThreadLocalRandom.current().nextLong(delay.toMillis()) + 1;
    CompletableFuture.delayedExecutor(jitter, TimeUnit.MILLISECONDS)
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
    lastFailure = explain(failure);
    Duration longer = delay.multipliedBy(2);
    tryAgain(longer.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : longer);
  }

  private StoreUnavailableException explain(Throwable failure) {
    return Failures.of(failure, address, names);
  }

  @Override
  public void close() {
    closed = true;
    StatefulRedisConnection<byte[], byte[]> open = connection;
    connection = null;
    lastFailure = null;
    if (open != null) {
      open.close();
    }
    if (ownedResources != null) {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      ownedResources.shutdown(0, 1, TimeUnit.SECONDS);
    }
  }
}
