package dev.weir.redis.internal.connection;

import dev.weir.redis.internal.protocol.Failures;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection to one server, from the handshake to its end; it never reconnects. Records
 * when it was last answered. Safe for many threads.
 */
public final class LiveConnection {
  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final RetryTimer timer;
  private final Executor executor;
  private final Consumer<LiveConnection> silent;
  private final UnresponsiveConnectionDetector detector = new UnresponsiveConnectionDetector();
  private final RoundTripTime roundTrip = new RoundTripTime(System.nanoTime());
  private final AtomicBoolean pinging = new AtomicBoolean();
  private final AtomicBoolean closing = new AtomicBoolean();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private volatile long answeredNanos = System.nanoTime();

  /**
   * @param executor completes calls that have timed out
   * @param silent called when the connection has stopped answering
   */
  LiveConnection(
      StatefulRedisConnection<byte[], byte[]> connection,
      RetryTimer timer,
      Executor executor,
      Consumer<LiveConnection> silent) {
    this.connection = connection;
    this.timer = timer;
    this.executor = executor;
    this.silent = silent;
  }

  /**
   * Sends one command, or several that belong together.
   *
   * @param send must not block; an exception that it throws fails the call
   * @param timeout the call fails if it is not answered in this time
   */
  public <T> CompletableFuture<T> call(
      Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> send, Duration timeout) {
    long sentNanos = System.nanoTime();
    CompletableFuture<T> answer;
    try {
      answer = send.apply(connection.async()).toCompletableFuture();
    } catch (RuntimeException failed) {
      return CompletableFuture.failedFuture(failed);
    }
    timer.bound(answer, timeout, executor);
    return answer.whenComplete((done, failure) -> listen(sentNanos, failure));
  }

  private void listen(long sentNanos, @Nullable Throwable failure) {
    long now = System.nanoTime();
    if (failure == null || Failures.isServerError(failure)) {
      answeredNanos = now;
      detector.answered();
      roundTrip.record(now - sentNanos, now);
    } else if (Failures.isTimeout(failure)) {
      detector.timedOut(now);
      reportSilence(now);
    }
  }

  private void reportSilence(long now) {
    if (detector.isSilent(now)) {
      silent.accept(this);
    }
  }

  /** Sends a PING if no reply has come for {@code quiet}, or if calls have timed out. */
  void keepAlive(Duration quiet, Duration timeout) {
    long now = System.nanoTime();
    reportSilence(now);
    boolean due = detector.isSuspect() || now - answeredNanos >= quiet.toNanos();
    if (due && pinging.compareAndSet(false, true)) {
      call(RedisAsyncCommands::ping, timeout).whenComplete((pong, failure) -> pinging.set(false));
    }
  }

  public RoundTripTime roundTrip() {
    return roundTrip;
  }

  /** Whether a call has timed out since the last reply. */
  boolean isSuspect() {
    return detector.isSuspect();
  }

  boolean isOpen() {
    return connection.isOpen();
  }

  /** Sets what is run once when the connection ends by itself. */
  void whenEnded(Runnable ended) {
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> handler) {
            ended.run();
          }
        });
  }

  /** Completes when the connection is closed. */
  CompletableFuture<Void> close() {
    if (closing.compareAndSet(false, true)) {
      connection.closeAsync().whenComplete((done, failure) -> closed.complete(null));
    }
    return closed;
  }
}
