package dev.weir.redis;

import dev.weir.StoreUnavailableException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls scripts over one connection, on which many calls are under way at once. Safe for many
 * threads.
 *
 * <p>A call is sent once. Only a server that does not know the script, and so has not run it, is
 * given the script and asked again.
 */
final class Link implements AutoCloseable {
  private static final Script DECIDE = Script.load("decide.lua");
  private static final Script RESET = Script.load("reset.lua");

  /** Each of them fails only if the server is made to forget in that very moment. */
  private static final int RELOADS = 3;

  private static final byte[] SERVER_TIME = new byte[0];

  private final Connector connector;
  private final KeyNames names;
  private final int maxInFlight;
  private final InFlight inFlight;
  private final Duration timeout;

  private Link(Connector connector, RedisStore.Builder builder) {
    this.connector = connector;
    this.names = builder.names;
    this.maxInFlight = builder.maxInFlight;
    this.timeout = builder.timeout;
    this.inFlight = new InFlight(maxInFlight);
  }

  static Link open(RedisStore.Builder builder) {
    return new Link(Connector.open(builder, List.of(DECIDE, RESET)), builder);
  }

  /** Asks one question; the parts of the answer as the script returned them. */
  CompletionStage<List<Object>> decide(Call call, byte[] question, @Nullable Long nowMicros) {
    byte[] now = nowMicros == null ? SERVER_TIME : ascii(Long.toString(nowMicros));
    return run(DECIDE, ScriptOutputType.MULTI, call.keys(), now, question);
  }

  /** Forgets one limit of a state key, or all under a log key. */
  CompletableFuture<Long> reset(String keyName, int identity) {
    byte[] id = ascii(Integer.toUnsignedString(identity));
    CompletionStage<Long> done =
        run(RESET, ScriptOutputType.INTEGER, new byte[][] {ascii(keyName)}, id);
    return done.toCompletableFuture();
  }

  private <T> CompletionStage<T> run(
      Script script, ScriptOutputType type, byte[][] keys, byte[]... arguments) {
    StatefulRedisConnection<byte[], byte[]> connection = connector.connection();
    if (connection == null) {
      return CompletableFuture.failedFuture(connector.unavailable());
    }
    if (!inFlight.start()) {
      return CompletableFuture.failedFuture(
          new StoreUnavailableException(
              maxInFlight + " calls already wait for Redis at " + connector.address()));
    }
    return this.<T>runNow(connection, script, type, keys, arguments)
        .whenComplete((answer, failure) -> ended(connection, failure));
  }

  private void ended(
      StatefulRedisConnection<byte[], byte[]> connection, @Nullable Throwable failure) {
    if (failure == null || !Failures.isTimeout(cause(failure))) {
      inFlight.answered();
    } else if (inFlight.timedOut()) {
      connector.leave(connection);
    }
  }

  private <T> CompletionStage<T> runNow(
      StatefulRedisConnection<byte[], byte[]> connection,
      Script script,
      ScriptOutputType type,
      byte[][] keys,
      byte[]... arguments) {
    RedisAsyncCommands<byte[], byte[]> commands = connection.async();
    CompletionStage<T> first = commands.evalsha(script.sha(), type, keys, arguments);
    return first.exceptionallyCompose(
        failure -> {
          if (!isUnknown(failure)) {
            return CompletableFuture.failedStage(failure);
          }
          Supplier<CompletionStage<T>> again =
              () -> commands.evalsha(script.sha(), type, keys, arguments);
          return reload(commands, script, again, RELOADS)
              .toCompletableFuture()
              .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
        });
  }

  /** Sends the script and the call together, so that next to nothing can come between them. */
  private static <T> CompletionStage<T> reload(
      RedisAsyncCommands<byte[], byte[]> commands,
      Script script,
      Supplier<CompletionStage<T>> call,
      int attempts) {
    CompletionStage<String> loaded = commands.scriptLoad(script.text());
    return call.get()
        .exceptionallyCompose(
            failure ->
                attempts > 1 && isUnknown(failure)
                    ? loaded.thenCompose(sha -> reload(commands, script, call, attempts - 1))
                    : CompletableFuture.failedStage(failure));
  }

  private static boolean isUnknown(Throwable failure) {
    return cause(failure) instanceof RedisNoScriptException;
  }

  /** Rethrows any failure as one that says what it means. */
  <T> T fail(Throwable failure) {
    if (cause(failure) instanceof IllegalArgumentException bad) {
      throw bad;
    }
    throw new CompletionException(Failures.of(failure, connector.address(), names));
  }

  List<String> warnings() {
    return connector.warnings();
  }

  @Override
  public void close() {
    connector.close();
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
