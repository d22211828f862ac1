package dev.weir.redis.internal.script;

import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.redis.internal.connection.ConnectionSettings;
import dev.weir.redis.internal.connection.LiveConnection;
import dev.weir.redis.internal.connection.NodeConnection;
import dev.weir.redis.internal.connection.Topologies;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.Failures;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import dev.weir.spi.Verdicts;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scripts, which are all calls of a store. Every failure is a {@link
 * StoreUnavailableException} that explains it. Safe for many threads; no call waits.
 */
public final class ScriptExecutor implements AutoCloseable {
  private static final Script DECIDE = Script.load("decide.lua");
  private static final Script RESET = Script.load("reset.lua");
  private static final Script HEARTBEAT = Script.load("heartbeat.lua");
  private static final Script TEXT = Script.load("text.lua");
  private static final Script SWAP_TEXT = Script.load("swap_text.lua");
  private static final byte[] SERVER_TIME = new byte[0];

  private final Topology topology;
  private final ConnectionSettings settings;
  private final KeyNames names;
  private final @Nullable TimeSource clientTime;
  private final ScriptCaller caller;
  private final ServerRefusals refusals = new ServerRefusals(System::nanoTime);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final ConcurrentHashMap<Integer, RequestBatcher> batchers = new ConcurrentHashMap<>();

  private ScriptExecutor(
      Topology topology, ConnectionSettings settings, @Nullable TimeSource clientTime) {
    this.topology = topology;
    this.settings = settings;
    this.names = settings.names();
    this.clientTime = clientTime;
    this.caller = new ScriptCaller(topology, settings.timeout());
  }

  /**
   * @param clientTime decides instead of the server's clock
   */
  public static ScriptExecutor open(ConnectionSettings settings, @Nullable TimeSource clientTime) {
    List<String> scripts =
        Stream.of(DECIDE, RESET, HEARTBEAT, TEXT, SWAP_TEXT).map(Script::text).toList();
    return new ScriptExecutor(Topologies.open(settings, scripts), settings, clientTime);
  }

  /** Asks one question, all of whose keys are in one slot. */
  public CompletionStage<Verdicts> ask(ScriptRequest request) {
    if (inFlight.incrementAndGet() > settings.maxInFlight()) {
      inFlight.decrementAndGet();
      return CompletableFuture.failedFuture(
          new StoreUnavailableException(
              settings.maxInFlight() + " calls already wait for Redis at " + topology.address()));
    }
    int slot = topology.slot(request.keyNames.get(0));
    RequestBatcher batcher = batcher(slot);
    return batcher
        .ask(request)
        .thenCompose(reply -> inItsWindow(batcher, request, reply))
        .thenApply(reply -> reply.verdicts(names))
        .handle((verdicts, failure) -> finish(request, slot, verdicts, failure));
  }

  /** A question whose calendar window does not contain the store's time is sent once more. */
  private static CompletionStage<ScriptReply> inItsWindow(
      RequestBatcher batcher, ScriptRequest request, ScriptReply reply) {
    return reply.missedEdge()
        ? batcher.ask(request.at(reply.now()))
        : CompletableFuture.completedFuture(reply);
  }

  private Verdicts finish(
      ScriptRequest request, int slot, Verdicts verdicts, @Nullable Throwable failure) {
    inFlight.decrementAndGet();
    if (failure != null) {
      throw fail(slot, failure);
    }
    if (verdicts.allowed() && request.operation != OperationCode.PEEK && refusals.any()) {
      refusals.accepted(nodeName(slot));
    }
    return verdicts;
  }

  private RequestBatcher batcher(int slot) {
    RequestBatcher known = batchers.get(slot);
    return known != null
        ? known
        : batchers.computeIfAbsent(
            slot,
            s ->
                new RequestBatcher(
                    batch -> send(s, batch),
                    clientTime == null,
                    settings.timeout(),
                    () -> roundTripNanos(s),
                    System::nanoTime));
  }

  private long roundTripNanos(int slot) {
    NodeConnection node = topology.node(slot);
    LiveConnection live = node == null ? null : node.live();
    return live == null ? 0 : live.roundTrip().nanos();
  }

  /** Asks the questions of a batch in one call; the parts of the answer as the script gave them. */
  public CompletionStage<List<Object>> send(int slot, Batch batch) {
    byte[] now = clientTime == null ? SERVER_TIME : ascii(Long.toString(clientTime.nowMicros()));
    return caller.call(DECIDE, ScriptOutputType.MULTI, slot, batch.keys(), batch.arguments(now));
  }

  /** Forgets one limit of a state key, or all under a log key. */
  public CompletionStage<Long> reset(String keyName, int identity) {
    return call(
        RESET, ScriptOutputType.INTEGER, keyName, ascii(Integer.toUnsignedString(identity)));
  }

  /** Runs heartbeat.lua. */
  public CompletionStage<List<Long>> heartbeat(List<String> arguments) {
    byte[][] texts = arguments.stream().map(ScriptExecutor::ascii).toArray(byte[][]::new);
    String alive = names.prefix() + "instances}";
    return call(HEARTBEAT, ScriptOutputType.MULTI, List.of(alive, alive + "left"), texts);
  }

  /** The text under a key after it was replaced, or as it is if there is nothing to replace it. */
  public CompletionStage<Optional<String>> text(String keyName, byte[]... replacement) {
    CompletionStage<byte @Nullable []> done =
        call(TEXT, ScriptOutputType.VALUE, keyName, replacement);
    return done.thenApply(
        text -> Optional.ofNullable(text).map(t -> new String(t, StandardCharsets.UTF_8)));
  }

  /** Changes the text under a key if it is still the one that was read; whether it was. */
  public CompletionStage<Boolean> swapText(
      String keyName, Optional<String> read, Optional<String> next) {
    byte[] before = read.orElse("").getBytes(StandardCharsets.UTF_8);
    byte[] present = ascii(read.isPresent() ? "1" : "0");
    byte[][] arguments =
        next.map(text -> new byte[][] {present, before, text.getBytes(StandardCharsets.UTF_8)})
            .orElseGet(() -> new byte[][] {present, before});
    CompletionStage<Long> done = call(SWAP_TEXT, ScriptOutputType.INTEGER, keyName, arguments);
    return done.thenApply(swapped -> swapped == 1);
  }

  private <T> CompletionStage<T> call(
      Script script, ScriptOutputType type, String keyName, byte[]... arguments) {
    return call(script, type, List.of(keyName), arguments);
  }

  private <T> CompletionStage<T> call(
      Script script, ScriptOutputType type, List<String> keyNames, byte[]... arguments) {
    int slot = topology.slot(keyNames.get(0));
    byte[][] keys = keyNames.stream().map(ScriptExecutor::ascii).toArray(byte[][]::new);
    CompletableFuture<T> called = caller.call(script, type, slot, keys, arguments);
    return called.exceptionally(
        failure -> {
          throw fail(slot, failure);
        });
  }

  private CompletionException fail(int slot, Throwable failure) {
    String server = nodeName(slot);
    StoreUnavailableException explained = Failures.of(failure, server, names);
    if (explained.isRefusal()) {
      String message = String.valueOf(explained.getMessage());
      refusals.refused(server, message);
      if (message.contains("READONLY")) {
        topology.readOnly(slot);
      }
    }
    return new CompletionException(explained);
  }

  /** The server that a key lives on, or the address of all while that is not known. */
  public String nodeName(int slot) {
    NodeConnection node = topology.node(slot);
    return node == null ? topology.address() : node.address();
  }

  public Topology topology() {
    return topology;
  }

  /** What an operator should know about the servers now. */
  public List<String> warnings() {
    List<String> connections = topology.warnings();
    List<String> refused = refusals.warnings();
    return Stream.concat(connections.stream(), refused.stream()).toList();
  }

  @Override
  public void close() {
    topology.close();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
