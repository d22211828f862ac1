package dev.weir.redis.internal.connection;

import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens to all Sentinels of a master for the message that a replica was promoted.
 *
 * <p>An old master that is alive accepts writes for some ten seconds after another was promoted,
 * and those are lost; only the Sentinels announce the change. Each of them learns of it at a
 * different time, so all are listened to: the first message counts, the others repeat it.
 */
final class SentinelWatch {
  private static final String SWITCH = "+switch-master";
  private static final Duration RETRY = Duration.ofSeconds(2);

  private final ConnectedClient client;
  private final RedisURI uri;
  private final String master;
  private final Consumer<HostAndPort> switched;
  private final AtomicReference<@Nullable HostAndPort> latest = new AtomicReference<>();
  private final Set<StatefulRedisPubSubConnection<String, String>> open =
      ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param switched receives host and port of the new master, on a thread of the client, once for
   *     each change
   */
  SentinelWatch(
      ConnectedClient client, RedisURI uri, String master, Consumer<HostAndPort> switched) {
    this.client = client;
    this.uri = uri;
    this.master = master;
    this.switched = switched;
  }

  void start() {
    uri.getSentinels().forEach(this::listen);
  }

  private void listen(RedisURI sentinel) {
    if (closed) {
      return;
    }
    client
        .client()
        .connectPubSubAsync(StringCodec.UTF8, sentinel)
        .whenComplete(
            (made, failure) -> {
              if (failure == null) {
                connected(sentinel, made);
              } else {
                listenLater(sentinel);
              }
            });
  }

  private void listenLater(RedisURI sentinel) {
    client.timer().after(RETRY, () -> listen(sentinel));
  }

  private void connected(RedisURI sentinel, StatefulRedisPubSubConnection<String, String> made) {
    open.add(made);
    made.addListener(news());
    made.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            if (!closed && open.remove(made)) {
              made.closeAsync();
              listenLater(sentinel);
            }
          }
        });
    made.async().subscribe(SWITCH);
    if (closed) {
      made.closeAsync();
    }
  }

  private RedisPubSubAdapter<String, String> news() {
    return new RedisPubSubAdapter<>() {
      @Override
      public void message(String channel, String message) {
        heard(message);
      }
    };
  }

  /** The message is the name of the master, its old host and port, and its new host and port. */
  private void heard(String message) {
    String[] words = message.split(" ");
    if (words.length == 5 && words[0].equals(master)) {
      HostAndPort now = new HostAndPort(words[3], Integer.parseInt(words[4]));
      if (!now.equals(latest.getAndSet(now))) {
        switched.accept(now);
      }
    }
  }

  /** Completes when all connections to Sentinels are closed. */
  CompletableFuture<Void> close() {
    closed = true;
    return CompletableFuture.allOf(
        open.stream()
            .map(StatefulRedisPubSubConnection::closeAsync)
            .toArray(CompletableFuture<?>[]::new));
  }
}
