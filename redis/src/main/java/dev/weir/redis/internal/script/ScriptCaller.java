package dev.weir.redis.internal.script;

import dev.weir.redis.internal.connection.LiveConnection;
import dev.weir.redis.internal.connection.NodeConnection;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.Failures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Sends script calls to the server that has their keys. Safe for many threads; never waits.
 *
 * <p>A call is sent once, and again only if the server has certainly not run it: a server that does
 * not know the script gets it, one that does not own the slot names another, and one that is
 * migrating the keys gets time.
 */
final class ScriptCaller {
  private static final Duration MOVING_KEYS_PAUSE = Duration.ofMillis(5);

  /** A retry fails only if the script cache is flushed again meanwhile. */
  private static final int RELOADS = 3;

  private static final int REDIRECTIONS = 8;

  private final Topology topology;
  private final Duration timeout;

  ScriptCaller(Topology topology, Duration timeout) {
    this.topology = topology;
    this.timeout = timeout;
  }

  /** One call on its way, with its deadline; all its keys are in one slot. */
  private record Call<T>(
      Script script,
      ScriptOutputType type,
      int slot,
      byte[][] keys,
      byte[][] arguments,
      long deadlineNanos) {

    Duration timeLeft() {
      return Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
    }

    boolean isOver() {
      return System.nanoTime() - deadlineNanos >= 0;
    }

    RedisFuture<T> send(RedisAsyncCommands<byte[], byte[]> commands) {
      return commands.evalsha(script.sha(), type, keys, arguments);
    }

    RedisFuture<T> sendAsking(RedisAsyncCommands<byte[], byte[]> commands) {
      commands.asking();
      return send(commands);
    }
  }

  <T> CompletableFuture<T> call(
      Script script, ScriptOutputType type, int slot, byte[][] keys, byte[]... arguments) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Call<T> call = new Call<>(script, type, slot, keys, arguments, deadline);
    return send(call, topology.node(slot), false, REDIRECTIONS);
  }

  private <T> CompletableFuture<T> send(
      Call<T> call, @Nullable NodeConnection node, boolean asking, int redirections) {
    if (node == null) {
      return CompletableFuture.failedFuture(topology.unavailable());
    }
    LiveConnection live = node.live();
    if (live == null) {
      return CompletableFuture.failedFuture(node.unavailable());
    }
    return live.<T>call(asking ? call::sendAsking : call::send, call.timeLeft())
        .exceptionallyCompose(failure -> again(call, live, failure, redirections));
  }

  /** Sends the call again if it has certainly not run, and time is left. */
  private <T> CompletionStage<T> again(
      Call<T> call, LiveConnection live, Throwable failure, int redirections) {
    Throwable cause = Failures.unwrap(failure);
    if (!Failures.isServerError(cause) || call.isOver() || redirections == 0) {
      return CompletableFuture.failedStage(cause);
    }
    if (cause instanceof RedisNoScriptException) {
      return reload(call, live, RELOADS);
    }
    String[] words = String.valueOf(cause.getMessage()).split(" ");
    switch (words[0]) {
      case "MOVED":
        topology.moved(call.slot(), words[2]);
        return redirect(call, topology.node(call.slot()), false, redirections - 1);
      case "ASK":
        return redirect(call, topology.nodeAt(words[2]), true, redirections - 1);
      case "TRYAGAIN":
        return topology
            .timer()
            .pause(MOVING_KEYS_PAUSE, ForkJoinPool.commonPool())
            .thenCompose(over -> send(call, topology.node(call.slot()), false, REDIRECTIONS));
      default:
        return CompletableFuture.failedStage(cause);
    }
  }

  /** A server that is new to the topology gets time to be connected. */
  private <T> CompletionStage<T> redirect(
      Call<T> call, @Nullable NodeConnection node, boolean asking, int redirections) {
    if (node == null || node.live() != null) {
      return send(call, node, asking, redirections);
    }
    CompletableFuture<Void> timeOver =
        topology.timer().pause(call.timeLeft(), ForkJoinPool.commonPool());
    return CompletableFuture.anyOf(node.firstAttempt().handle((done, failed) -> done), timeOver)
        .thenCompose(connected -> send(call, node, asking, redirections));
  }

  /**
   * Sends the script and the call together, so that the script is hardly ever flushed in between.
   */
  private <T> CompletionStage<T> reload(Call<T> call, LiveConnection live, int attempts) {
    CompletableFuture<String> loaded =
        live.call(commands -> commands.scriptLoad(call.script().text()), call.timeLeft());
    return live.<T>call(call::send, call.timeLeft())
        .exceptionallyCompose(
            failure ->
                attempts > 1 && Failures.unwrap(failure) instanceof RedisNoScriptException
                    ? loaded.thenCompose(sha -> reload(call, live, attempts - 1))
                    : CompletableFuture.failedStage(failure));
  }
}
