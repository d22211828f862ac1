package dev.weir.redis.internal.connection;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Listens to all Sentinels of a master for the news that there is another one.
 *
 * <p>An old master that is alive goes on taking writes for some ten seconds after another was
 * promoted, and they are lost with it; only the Sentinels tell. Each of them learns of the change
 * in its own time, and any of them may be the one that is asked for the master: so the news of each
 * counts.
 */
final class SentinelWatch implements AutoCloseable {
  private static final String SWITCH = "+switch-master";
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final RedisClient client;
  private final String master;
  private final Runnable changed;
  private final Set<StatefulRedisPubSubConnection<String, String>> open =
      ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  private SentinelWatch(RedisClient client, String master, Runnable changed) {
    this.client = client;
    this.master = master;
    this.changed = changed;
  }

  /**
   * @param changed called on a thread of the client's, once for each Sentinel that tells of a
   *     change
   */
  static SentinelWatch start(RedisClient client, RedisURI uri, Runnable changed) {
    SentinelWatch watch = new SentinelWatch(client, uri.getSentinelMasterId(), changed);
    uri.getSentinels().forEach(watch::listen);
    return watch;
  }

  private void listen(RedisURI sentinel) {
    if (!closed) {
      client
          .connectPubSubAsync(StringCodec.UTF8, sentinel)
          .whenComplete((made, failure) -> connected(sentinel, made));
    }
  }

  private void connected(
      RedisURI sentinel, @Nullable StatefulRedisPubSubConnection<String, String> made) {
    if (made == null) {
      CompletableFuture.delayedExecutor(RETRY.toMillis(), TimeUnit.MILLISECONDS)
          .execute(() -> listen(sentinel));
      return;
    }
    open.add(made);
    made.addListener(listener());
    made.async().subscribe(SWITCH);
    if (closed) {
      made.closeAsync();
    }
  }

  private RedisPubSubAdapter<String, String> listener() {
    return new RedisPubSubAdapter<>() {
      @Override
      public void message(String channel, String message) {
        if (message.startsWith(master + " ")) {
          changed.run();
        }
      }
    };
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(StatefulRedisPubSubConnection::closeAsync);
  }
}
