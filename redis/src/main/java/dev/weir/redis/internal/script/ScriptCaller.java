package dev.weir.redis.internal.script;

import dev.weir.redis.internal.connection.LiveConnection;
import dev.weir.redis.internal.connection.NodeConnection;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.Failures;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends script calls to the server that has their keys. Safe for many threads; never waits.
 *
 * <p>A call is sent again only if the server has certainly not run it: if the server does not know
 * the script, which is then loaded; if it does not own the hash slot, and names the server that
 * does; or if it is migrating the keys, after a pause.
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

  /**
   * One call on its way, with its deadline; all its keys are in one hash slot.
   *
   * @param command sends it over a connection
   */
  private record Call<T>(
      Script script,
      int slot,
      Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command,
      long deadlineNanos) {

    Duration timeLeft() {
      return Duration.ofNanos(Math.max(1, deadlineNanos - System.nanoTime()));
    }

    boolean isOver() {
      return System.nanoTime() - deadlineNanos >= 0;
    }

    RedisFuture<T> send(RedisAsyncCommands<byte[], byte[]> commands) {
      return command.apply(commands);
    }

    RedisFuture<T> sendAsking(RedisAsyncCommands<byte[], byte[]> commands) {
      commands.asking();
      return send(commands);
    }
  }

  <T> CompletableFuture<T> call(
      Script script, ScriptOutputType type, int slot, byte[][] keys, byte[]... arguments) {
    return call(script, slot, commands -> commands.evalsha(script.sha(), type, keys, arguments));
  }

  /**
   * Calls a script that decides a batch, and marks the batch when it is written to the socket.
   *
   * @param now the time to decide at; empty for the server's
   */
  CompletableFuture<List<Object>> call(Script script, int slot, Batch batch, byte[] now) {
    byte[][] keys = batch.keys();
    byte[][] arguments = batch.arguments(now);
    return call(
        script,
        slot,
        commands ->
            commands.dispatch(
                CommandType.EVALSHA,
                new NestedMultiOutput<>(ByteArrayCodec.INSTANCE),
                new BatchArguments(script, batch, keys, arguments)));
  }

  private <T> CompletableFuture<T> call(
      Script script,
      int slot,
      Function<RedisAsyncCommands<byte[], byte[]>, RedisFuture<T>> command) {
    long deadline = System.nanoTime() + timeout.toNanos();
    Call<T> call = new Call<>(script, slot, command, deadline);
    return send(call, topology.node(slot), false, REDIRECTIONS);
  }

  /** The arguments of EVALSHA for a batch, which is marked when they are encoded. */
  private static final class BatchArguments extends CommandArgs<byte[], byte[]> {
    private final Batch batch;

    BatchArguments(Script script, Batch batch, byte[][] keys, byte[][] arguments) {
      super(ByteArrayCodec.INSTANCE);
      this.batch = batch;
      add(script.sha()).add(keys.length).addKeys(keys).addValues(arguments);
    }

    @Override
    public void encode(ByteBuf buffer) {
      batch.markWritten();
      super.encode(buffer);
    }
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

  /** Sends the call to another server, after the first attempt to connect to it has ended. */
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

  /** Sends the script and the call together, so that a flush hardly ever comes in between. */
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
