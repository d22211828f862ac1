package dev.weir.redis.internal.connection;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The subscription to one Sentinel. There may be no message for months, so a connection that a
 * firewall drops silently would go unnoticed. To detect that, it subscribes again every few
 * seconds, which changes nothing and must be confirmed. (PING would not do: servers without RESP3
 * answer it in another form while subscribed.)
 */
final class SentinelSubscription {
  private static final String SWITCH = "+switch-master";
  private static final Duration CHECK = Duration.ofSeconds(3);

  private final StatefulRedisPubSubConnection<String, String> connection;
  private final RetryTimer timer;
  private final Consumer<String> heard;
  private final Consumer<SentinelSubscription> lost;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean confirmed;

  /**
   * @param heard receives messages about masters
   * @param lost called once, unless it is closed first
   */
  SentinelSubscription(
      StatefulRedisPubSubConnection<String, String> connection,
      RetryTimer timer,
      Consumer<String> heard,
      Consumer<SentinelSubscription> lost) {
    this.connection = connection;
    this.timer = timer;
    this.heard = heard;
    this.lost = lost;
  }

  void start() {
    connection.addListener(
        new RedisPubSubAdapter<>() {
          @Override
          public void message(String channel, String message) {
            heard.accept(message);
          }

          @Override
          public void subscribed(String channel, long count) {
            confirmed = true;
          }
        });
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            giveUp();
          }
        });
    subscribe();
  }

  private void subscribe() {
    confirmed = false;
    connection.async().subscribe(SWITCH);
    timer.after(CHECK, this::check);
  }

  private void check() {
    if (ended.get()) {
      return;
    }
    if (confirmed) {
      subscribe();
    } else {
      giveUp();
    }
  }

  private void giveUp() {
    if (ended.compareAndSet(false, true)) {
      connection.closeAsync();
      lost.accept(this);
    }
  }

  CompletableFuture<Void> close() {
    ended.set(true);
    return connection.closeAsync();
  }
}
