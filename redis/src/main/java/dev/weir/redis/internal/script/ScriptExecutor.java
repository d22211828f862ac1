package dev.weir.redis.internal.script;

import dev.weir.Claim;
import dev.weir.Receipt.Grant;
import dev.weir.StoreUnavailableException;
import dev.weir.TimeSource;
import dev.weir.internal.arithmetic.Meter.Form;
import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.Scheduler;
import dev.weir.redis.internal.connection.ConnectionSettings;
import dev.weir.redis.internal.connection.NodeConnection;
import dev.weir.redis.internal.connection.Topologies;
import dev.weir.redis.internal.connection.Topology;
import dev.weir.redis.internal.protocol.EncodedPolicy;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.Failures;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import dev.weir.redis.internal.protocol.RenewedGrant;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Verdicts;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the scripts: every call of a store is one. Every failure is a {@link
 * StoreUnavailableException} with an explanation. Safe for many threads; no call waits.
 */
public final class ScriptExecutor implements AutoCloseable {
  private static final Script DECIDE = Script.load("decide.lua");
  private static final Script DECIDE_EACH = Script.load("decide_each.lua");
  private static final Script DECIDE_ACROSS_SLOTS = Script.load("decide_across_slots.lua");
  private static final Script DECIDE_KEY = Script.load("decide_key.lua");
  private static final Script DECIDE_SLOTS = Script.load("decide_slots.lua");
  private static final Script RESET = Script.load("reset.lua");
  private static final Script RENEW = Script.load("renew.lua");
  private static final Script FORGET = Script.load("forget.lua");
  private static final Script HEARTBEAT = Script.load("heartbeat.lua");
  private static final Script TEXT = Script.load("text.lua");
  private static final Script SWAP_TEXT = Script.load("swap_text.lua");
  private static final byte[] SERVER_TIME = new byte[0];

  private final Topology topology;
  private final ConnectionSettings settings;
  private final KeyNames names;
  private final EncodedPolicyCache policies = new EncodedPolicyCache();
  private final @Nullable TimeSource clientTime;
  private final RequestEncoder encoder;
  private final ScriptCaller caller;
  private final ServerRefusals refusals = new ServerRefusals(System::nanoTime);
  private final AtomicInteger inFlight = new AtomicInteger();
  private final CrossSlotSupport crossSlotSupport = new CrossSlotSupport(System::nanoTime);
  private final BatcherSelector batchers;

  private ScriptExecutor(
      Topology topology, ConnectionSettings settings, @Nullable TimeSource clientTime) {
    this.topology = topology;
    this.settings = settings;
    this.names = settings.names();
    this.clientTime = clientTime;
    this.encoder =
        new RequestEncoder(policies, names, clientTime == null ? TimeSource.system() : clientTime);
    this.caller = new ScriptCaller(topology, settings.timeout());
    this.batchers =
        new BatcherSelector(
            topology, policies, crossSlotSupport, new BatchCalls(), settings.timeout());
  }

  /**
   * @param clientTime used instead of the server's clock; null for the server's
   */
  public static ScriptExecutor open(ConnectionSettings settings, @Nullable TimeSource clientTime) {
    List<String> scripts =
        Stream.of(
                DECIDE,
                DECIDE_EACH,
                DECIDE_ACROSS_SLOTS,
                DECIDE_KEY,
                DECIDE_SLOTS,
                RESET,
                RENEW,
                FORGET,
                HEARTBEAT,
                TEXT,
                SWAP_TEXT)
            .map(Script::text)
            .toList();
    return new ScriptExecutor(Topologies.open(settings, scripts), settings, clientTime);
  }

  /** Asks one question. All its keys are in one hash slot. */
  public CompletableFuture<Verdicts> ask(
      OperationCode operation, List<Claim> claims, QuestionHead head) {
    for (Claim claim : claims) {
      policies.encode(claim.policy()); // before batching: a refusal must not fail other callers
    }
    if (inFlight.incrementAndGet() > settings.maxInFlight()) {
      inFlight.decrementAndGet();
      return CompletableFuture.failedFuture(
          new StoreUnavailableException(
              settings.maxInFlight() + " calls already wait for Redis at " + topology.address()));
    }
    AskedQuestion asked = new AskedQuestion(operation, claims, head, slot(claims.get(0)));
    return batchers.of(asked).ask(asked, encoder);
  }

  private int slot(Claim claim) {
    return topology.isSpread() ? names.slot(claim) : 0;
  }

  /** The calls of batches, and what their answers mean. */
  private final class BatchCalls implements RequestBatcher.Calls {
    @Override
    public CompletionStage<List<Object>> send(Batch batch) {
      return ScriptExecutor.this.send(batch);
    }

    @Override
    public void answered(Batch batch, List<Object> parts) {
      List<ScriptReply> replies;
      try {
        replies = batch.replies(parts, clientTime == null);
      } catch (RuntimeException malformed) {
        failed(batch, malformed);
        return;
      }
      boolean acrossSlots = batch.isAcrossSlots();
      if (acrossSlots) {
        crossSlotSupport.answered(nodeName(batch.slot()), replies);
      }
      batch.forEach(replies, (questions, reply) -> answered(questions, reply, acrossSlots));
    }

    /**
     * A question whose calendar window does not contain the store's time is sent once more, and so
     * is one about a key that a call across hash slots may not use: alone, so that the server can
     * say where the key lives now.
     */
    private void answered(EqualQuestions questions, ScriptReply reply, boolean acrossSlots) {
      int slot = questions.asked.slot();
      boolean isRefused = acrossSlots && reply.refusedKey();
      if (isRefused || reply.missedEdge() && questions.repeatAt(reply.now())) {
        batchers.ofSlot(slot).askAgain(questions);
        return;
      }
      inFlight.addAndGet(-questions.callers());
      try {
        questions.complete(reply, names, () -> acceptedIf(slot, true));
      } catch (RuntimeException failure) { // of the store, or a reply that cannot be read
        questions.fail(explained(slot, failure));
      }
    }

    @Override
    public void failed(Batch batch, Throwable failure) {
      StoreUnavailableException explained = explained(batch.slot(), failure);
      batch.forEach(
          questions -> {
            inFlight.addAndGet(-questions.callers());
            questions.fail(explained);
          });
    }

    @Override
    public void gaveUp(int callers) {
      inFlight.addAndGet(-callers);
    }

    @Override
    public void later(long nanos, Runnable task) {
      Scheduler.after(Duration.ofNanos(nanos), Callbacks.EXECUTOR, task);
    }
  }

  /** Asks the questions of a batch in one call; completes with the script's reply as it is. */
  CompletionStage<List<Object>> send(Batch batch) {
    return caller.call(script(batch), batch.slot(), batch, now());
  }

  private static Script script(Batch batch) {
    if (batch.isAcrossSlots()) {
      return DECIDE_ACROSS_SLOTS;
    }
    if (batch.hasSingleClaims()) {
      return DECIDE_EACH;
    }
    if (batch.hasOneKeyEach()) {
      return DECIDE_KEY;
    }
    return batch.hasSingleClaimsOnSlots() ? DECIDE_SLOTS : DECIDE;
  }

  /** The time argument of the scripts: empty for the server's clock. */
  private byte[] now() {
    return clientTime == null ? SERVER_TIME : ascii(Long.toString(clientTime.nowMicros()));
  }

  /**
   * Asks one question several times over in a call of its own; all its keys are in one hash slot.
   */
  public CompletableFuture<LeaseAnswer> lease(List<Claim> claims, int times) {
    int slot = slot(claims.get(0));
    LeaseCall call = new LeaseCall(claims, times, names, clientTime == null);
    ScriptRequest request =
        encoder.request(
            new AskedQuestion(OperationCode.ACQUIRE, claims, QuestionHead.none(), slot));
    return call.send(request, (keys, blob) -> send(slot, request, keys, blob))
        .whenComplete((answer, failure) -> acceptedIf(slot, failure == null))
        .exceptionally(
            failure -> {
              throw new CompletionException(explained(slot, failure));
            });
  }

  private CompletionStage<List<Object>> send(
      int slot, ScriptRequest request, byte[][] keys, byte[] blob) {
    Script script = request.isSingleClaim() ? DECIDE_EACH : DECIDE;
    return caller.call(script, ScriptOutputType.MULTI, slot, keys, now(), blob);
  }

  private void acceptedIf(int slot, boolean accepted) {
    if (accepted && refusals.any()) {
      refusals.accepted(nodeName(slot));
    }
  }

  /** Forgets what the key of a claim has used of its limit. */
  public CompletionStage<Long> reset(Claim claim) {
    EncodedPolicy policy = policies.encode(claim.policy());
    Form form = policy.meter.form();
    int identity = form == Form.NUMBERS ? policy.identity : 0; // 0 forgets all under the key
    return call(
        RESET,
        ScriptOutputType.INTEGER,
        names.of(claim, form),
        ascii(Integer.toUnsignedString(identity)));
  }

  /**
   * Keeps slots of requests in flight for another hold. All their keys are in one hash slot.
   *
   * @return per grant, whether its slots were still held
   */
  public CompletionStage<List<Long>> renew(List<Grant> grants) {
    byte[][] arguments = new byte[grants.size() + 1][];
    arguments[0] = now();
    List<String> keys = new ArrayList<>(grants.size());
    for (int i = 0; i < grants.size(); i++) {
      Grant grant = grants.get(i);
      keys.add(names.of(grant.claim(), Form.SLOTS));
      arguments[i + 1] = RenewedGrant.encode(grant);
    }
    return call(RENEW, ScriptOutputType.MULTI, keys, arguments);
  }

  /** Forgets the remembered answer to a question. All its keys are in one hash slot. */
  public CompletionStage<Long> forget(Claim first, String answerName) {
    return call(FORGET, ScriptOutputType.INTEGER, names.ofAnswer(first, answerName));
  }

  /** Runs heartbeat.lua. */
  public CompletionStage<List<Long>> heartbeat(List<String> arguments) {
    byte[][] texts = arguments.stream().map(ScriptExecutor::ascii).toArray(byte[][]::new);
    String alive = names.prefix() + "instances}";
    return call(HEARTBEAT, ScriptOutputType.MULTI, List.of(alive, alive + "left"), texts);
  }

  /** Reads the text under a key, after replacing it if a replacement is given. */
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
          throw new CompletionException(explained(slot, failure));
        });
  }

  private StoreUnavailableException explained(int slot, Throwable failure) {
    String server = nodeName(slot);
    StoreUnavailableException explained = Failures.of(failure, server, names);
    if (explained.isRefusal()) {
      String message = String.valueOf(explained.getMessage());
      refusals.refused(server, message);
      if (message.contains("READONLY")) {
        topology.readOnly(slot);
      }
    }
    return explained;
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
