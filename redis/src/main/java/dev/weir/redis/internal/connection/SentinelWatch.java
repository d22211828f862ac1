package dev.weir.redis.internal.connection;

import dev.weir.redis.internal.connection.ServerAddress.HostAndPort;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.sentinel.api.StatefulRedisSentinelConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Listens to all Sentinels of a master for the message that a replica was promoted.
 *
 * <p>An old master that is still alive accepts writes for some ten seconds after another was
 * promoted, and these writes are lost. Only the Sentinels announce the change. They learn of it at
 * different times, so this class subscribes to all of them: the first message counts, the others
 * repeat it.
 *
 * <p>A message that is sent while there is no subscription is not sent again. So after every
 * subscription the Sentinel is asked for the master. A Sentinel that was cut off may name an older
 * one; each promotion has a number, and only an answer with a higher number counts.
 */
final class SentinelWatch {
  private static final Duration RETRY = Duration.ofSeconds(2);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final ConnectedClient client;
  private final RedisURI uri;
  private final String master;
  private final Consumer<HostAndPort> switched;
  private final Set<SentinelSubscription> open = ConcurrentHashMap.newKeySet();
  private @Nullable HostAndPort latest;
  private long latestPromotion = -1;
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
    SentinelSubscription subscription =
        new SentinelSubscription(
            made,
            client.timer(),
            message -> heard(sentinel, message),
            lost -> lost(sentinel, lost));
    open.add(subscription);
    subscription.start();
    askForMaster(sentinel);
    if (closed) {
      subscription.close();
    }
  }

  private void lost(RedisURI sentinel, SentinelSubscription subscription) {
    if (open.remove(subscription) && !closed) {
      listenLater(sentinel);
    }
  }

  /** The message is the name of the master, its old host and port, and its new host and port. */
  private void heard(RedisURI sentinel, String message) {
    String[] words = message.split(" ");
    if (words.length == 5 && words[0].equals(master)) {
      changeTo(new HostAndPort(words[3], Integer.parseInt(words[4])));
      askForMaster(sentinel); // for the number of this promotion
    }
  }

  private void askForMaster(RedisURI sentinel) {
    client
        .client()
        .connectSentinelAsync(StringCodec.UTF8, sentinel)
        .thenAccept(this::askForMaster); // the subscription stays even if this fails
  }

  private void askForMaster(StatefulRedisSentinelConnection<String, String> made) {
    client.timer().after(ANSWER, () -> close(made)); // in case it never answers
    made.async()
        .master(master)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                named(answer);
              }
              close(made);
            });
  }

  private static void close(StatefulRedisSentinelConnection<String, String> made) {
    if (made.isOpen()) {
      made.closeAsync();
    }
  }

  private void named(Map<String, String> answer) {
    String host = answer.get("ip");
    String port = answer.get("port");
    String promotion = answer.get("config-epoch");
    if (host != null && port != null && promotion != null) {
      named(new HostAndPort(host, Integer.parseInt(port)), Long.parseLong(promotion));
    }
  }

  private void named(HostAndPort now, long promotion) {
    synchronized (this) {
      boolean news = promotion > latestPromotion;
      latestPromotion = Math.max(promotion, latestPromotion);
      if (!news) {
        return;
      }
      if (latest == null) { // the master of the first connection
        latest = now;
        return;
      }
    }
    changeTo(now);
  }

  private void changeTo(HostAndPort now) {
    synchronized (this) {
      if (now.equals(latest)) {
        return;
      }
      latest = now;
    }
    switched.accept(now);
  }

  /** Completes when all connections to Sentinels are closed. */
  CompletableFuture<Void> close() {
    closed = true;
    return CompletableFuture.allOf(
        open.stream().map(SentinelSubscription::close).toArray(CompletableFuture<?>[]::new));
  }
}
