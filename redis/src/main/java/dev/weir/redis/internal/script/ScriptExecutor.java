package dev.weir.redis.internal.script;

import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.redis.internal.connection.ConnectionSettings;
import dev.weir.redis.internal.connection.Connector;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.connection.Topology.Opened;
import dev.weir.redis.internal.connection.UnresponsiveConnectionDetector;
import dev.weir.redis.internal.protocol.Failures;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import dev.weir.spi.Verdicts;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls scripts over one connection, on which many calls are under way at once. Safe for many
 * threads.
 *
 * <p>A call is sent once. Only a server that has certainly not run it is asked again: one that does
 * not know the script is given it, and a Cluster that moves the keys this instant is given time.
 */
public final class ScriptExecutor implements AutoCloseable {
  private static final Script DECIDE = Script.load("decide.lua");
  private static final Script RESET = Script.load("reset.lua");
  private static final Script HEARTBEAT = Script.load("heartbeat.lua");
  private static final Script TEXT = Script.load("text.lua");
  private static final byte[] SERVER_TIME = new byte[0];
  private static final long MOVING_KEYS_MILLIS = 5;

  /** Each of them fails only if the server is made to forget in that very moment. */
  private static final int RELOADS = 3;

  private final Connector connector;
  private final KeyNames names;
  private final Duration timeout;
  private final @Nullable TimeSource clientTime;
  private final int maxInFlight;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final UnresponsiveConnectionDetector silence = new UnresponsiveConnectionDetector();
  private final ConcurrentHashMap<Integer, RequestBatcher> coalescers = new ConcurrentHashMap<>();

  private ScriptExecutor(
      Connector connector, ConnectionSettings settings, @Nullable TimeSource clientTime) {
    this.connector = connector;
    this.names = settings.names();
    this.timeout = settings.timeout();
    this.clientTime = clientTime;
    this.maxInFlight = settings.maxInFlight();
  }

  /**
   * @param clientTime decides instead of the server's clock
   */
  public static ScriptExecutor open(ConnectionSettings settings, @Nullable TimeSource clientTime) {
    List<String> scripts = Stream.of(DECIDE, RESET, HEARTBEAT, TEXT).map(Script::text).toList();
    return new ScriptExecutor(Connector.open(settings, scripts), settings, clientTime);
  }

  /** Asks one question, all of whose keys are in one slot. */
  public CompletionStage<Verdicts> ask(ScriptRequest call) {
    if (inFlight.incrementAndGet() > maxInFlight) {
      inFlight.decrementAndGet();
      return CompletableFuture.failedFuture(
          new StoreUnavailableException(
              maxInFlight + " calls already wait for Redis at " + topology().address()));
    }
    RequestBatcher coalescer = coalescer(topology().slot(call.keyNames.get(0)));
    return coalescer
        .ask(call)
        .thenCompose(reply -> inItsWindow(coalescer, call, reply))
        .thenApply(reply -> reply.verdicts(names))
        .whenComplete((verdicts, failure) -> inFlight.decrementAndGet())
        .exceptionally(this::fail);
  }

  /** A calendar window that does not hold the store's time is looked up once more. */
  private static CompletionStage<ScriptReply> inItsWindow(
      RequestBatcher coalescer, ScriptRequest call, ScriptReply reply) {
    return reply.missedEdge()
        ? coalescer.ask(call.at(reply.now()))
        : CompletableFuture.completedFuture(reply);
  }

  private RequestBatcher coalescer(int slot) {
    RequestBatcher known = coalescers.get(slot);
    return known != null
        ? known
        : coalescers.computeIfAbsent(
            slot, s -> new RequestBatcher(this::send, clientTime == null, timeout));
  }

  /** Asks the questions of a batch in one call; the parts of the answer as the script gave them. */
  public CompletionStage<List<Object>> send(Batch batch) {
    byte[] now = clientTime == null ? SERVER_TIME : ascii(Long.toString(clientTime.nowMicros()));
    return run(DECIDE, ScriptOutputType.MULTI, batch.keys(), batch.arguments(now));
  }

  /** Forgets one limit of a state key, or all under a log key. */
  public CompletableFuture<Long> reset(String keyName, int identity) {
    byte[] id = ascii(Integer.toUnsignedString(identity));
    CompletionStage<Long> done =
        run(RESET, ScriptOutputType.INTEGER, new byte[][] {ascii(keyName)}, id);
    return done.toCompletableFuture();
  }

  /** Tells that the instance of this id is alive; how many are. */
  public CompletionStage<Long> heartbeat(String id) {
    byte[] key = ascii(names.prefix() + "instances}");
    byte[] counts = ascii(String.valueOf(Heartbeat.COUNTS_FOR.toMillis()));
    return run(HEARTBEAT, ScriptOutputType.INTEGER, new byte[][] {key}, ascii(id), counts);
  }

  public Topology topology() {
    return connector.topology();
  }

  /** The text under a key after it was replaced, or as it is if there is nothing to replace it. */
  public CompletionStage<Optional<String>> text(String keyName, byte[]... replacement) {
    CompletionStage<byte @Nullable []> done =
        run(TEXT, ScriptOutputType.VALUE, new byte[][] {ascii(keyName)}, replacement);
    return done.thenApply(
            text -> Optional.ofNullable(text).map(t -> new String(t, StandardCharsets.UTF_8)))
        .exceptionally(this::fail);
  }

  private <T> CompletionStage<T> run(
      Script script, ScriptOutputType type, byte[][] keys, byte[]... arguments) {
    return run(script, type, System.nanoTime() + timeout.toNanos(), keys, arguments);
  }

  private <T> CompletionStage<T> run(
      Script script, ScriptOutputType type, long deadline, byte[][] keys, byte[]... arguments) {
    Opened to = connector.opened();
    if (to == null) {
      return CompletableFuture.failedFuture(connector.unavailable());
    }
    CompletionStage<T> first = to.scripting().evalsha(script.sha(), type, keys, arguments);
    return first
        .exceptionallyCompose(
            failure -> {
              if (isUnknown(failure)) {
                Supplier<CompletionStage<T>> again =
                    () -> to.scripting().evalsha(script.sha(), type, keys, arguments);
                return reload(to, script, again, RELOADS)
                    .toCompletableFuture()
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS);
              }
              if (isMovingKeys(failure) && System.nanoTime() < deadline) {
                return later().thenCompose(now -> run(script, type, deadline, keys, arguments));
              }
              return CompletableFuture.failedStage(failure);
            })
        .whenComplete((answer, failure) -> listen(to, failure));
  }

  private void listen(Opened to, @Nullable Throwable failure) {
    if (failure == null || !Failures.isTimeout(cause(failure))) {
      silence.answered();
    } else if (silence.timedOut()) {
      connector.leave(to);
    }
  }

  /** Sends the script and the call together, so that next to nothing can come between them. */
  private static <T> CompletionStage<T> reload(
      Opened to, Script script, Supplier<CompletionStage<T>> call, int attempts) {
    CompletionStage<String> loaded = to.scripting().scriptLoad(script.text());
    CompletionStage<T> answer = to.spread() ? loaded.thenCompose(sha -> call.get()) : call.get();
    return answer.exceptionallyCompose(
        failure ->
            attempts > 1 && isUnknown(failure)
                ? loaded.thenCompose(sha -> reload(to, script, call, attempts - 1))
                : CompletableFuture.failedStage(failure));
  }

  private static boolean isUnknown(Throwable failure) {
    return cause(failure) instanceof RedisNoScriptException;
  }

  /** Only some of the keys have reached their new node yet: the script has not run. */
  private static boolean isMovingKeys(Throwable failure) {
    String message = cause(failure).getMessage();
    return message != null && message.contains("TRYAGAIN");
  }

  private static CompletionStage<Void> later() {
    var timer = CompletableFuture.delayedExecutor(MOVING_KEYS_MILLIS, TimeUnit.MILLISECONDS);
    return CompletableFuture.runAsync(() -> {}, timer);
  }

  /** Rethrows any failure as one that says what it means. */
  public <T> T fail(Throwable failure) {
    StoreUnavailableException explained =
        Failures.of(failure, connector.topology().address(), names);
    if (String.valueOf(explained.getMessage()).contains("READONLY")) {
      connector.renew();
    }
    throw new CompletionException(explained);
  }

  public List<String> warnings() {
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
