package dev.weir.redis.internal.script;

import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.protocol.ScriptReply;
import dev.weir.redis.internal.protocol.ScriptRequest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Lets questions that wait while calls are under way share the next call. Safe for many threads.
 *
 * <p>There is no timer: a lone question is sent at once, and so is a second. Only while two calls
 * are under way do questions wait, in their order, and the answer to one of them sends what has
 * gathered: the busier the server, the larger the batches.
 */
final class RequestBatcher {
  private static final int MOST_IN_FLIGHT = 2;
  private static final int LARGEST_BATCH = 32;

  private final Function<Batch, CompletionStage<List<Object>>> server;
  private final boolean serverTime;
  private final long patienceNanos;
  private final ConcurrentLinkedQueue<ScriptRequest> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger inFlight = new AtomicInteger();

  /**
   * @param server sends a batch; completes with the parts of the script's answer
   * @param patience a question that has waited for longer is not sent any more
   */
  RequestBatcher(
      Function<Batch, CompletionStage<List<Object>>> server,
      boolean serverTime,
      Duration patience) {
    this.server = server;
    this.serverTime = serverTime;
    this.patienceNanos = patience.toNanos();
  }

  CompletionStage<ScriptReply> ask(ScriptRequest call) {
    waiting.add(call);
    send();
    return call.reply;
  }

  private void send() {
    while (!waiting.isEmpty() && tryEnter()) {
      Batch batch = gather();
      if (batch.isEmpty()) {
        inFlight.decrementAndGet();
      } else {
        server.apply(batch).whenComplete((parts, failure) -> finish(batch, parts, failure));
      }
    }
  }

  private boolean tryEnter() {
    int now = inFlight.get();
    return now < MOST_IN_FLIGHT && (inFlight.compareAndSet(now, now + 1) || tryEnter());
  }

  private Batch gather() {
    Batch batch = new Batch();
    while (batch.size() < LARGEST_BATCH) {
      ScriptRequest call = waiting.poll();
      if (call == null) {
        break;
      }
      if (System.nanoTime() - call.madeNanos > patienceNanos) {
        call.reply.completeExceptionally(
            new StoreUnavailableException(
                "waited too long to be sent to Redis; nothing was taken"));
      } else {
        batch.add(call);
      }
    }
    return batch;
  }

  /** The next batch leaves before this one's callers are told, who may take their time. */
  private void finish(Batch batch, List<Object> parts, Throwable failure) {
    inFlight.decrementAndGet();
    send();
    if (failure == null) {
      batch.complete(parts, serverTime);
    } else {
      batch.fail(failure);
    }
  }
}
