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
import java.util.function.LongSupplier;

/**
 * Lets requests that wait while calls are under way share the next call. Safe for many threads.
 *
 * <p>There is no timer: a request is sent at once, or when the next call is answered, together with
 * what has gathered by then. When to wait depends on how far away the server is, because waiting
 * must not cost more than a small part of a round trip:
 *
 * <ul>
 *   <li>Two calls may always be under way. A server on the same machine is served best by two: the
 *       busier it is, the larger the batches.
 *   <li>From a round trip of 400 us on, one call may be under way for every 100 us of it. Answers
 *       then come every 100 us on average, and that is how long a request waits: with a round trip
 *       of 30 ms, 300 calls may be under way.
 *   <li>If the calls under way were sent in one burst, their answers are a round trip away. So a
 *       far server is sent another call if the next answer is not expected within a twentieth of
 *       the round trip, or if a request has waited for that long.
 * </ul>
 */
final class RequestBatcher {
  private static final int LEAST_IN_FLIGHT = 2;
  private static final int MOST_IN_FLIGHT = 1024;
  private static final int LARGEST_BATCH = 32;
  private static final long PACE_NANOS = 100_000;
  private static final long NEAR_NANOS = 400_000;
  private static final long FAR_NANOS = 2_000_000;
  private static final int TOLERABLE_PART = 20;

  private final Function<Batch, CompletionStage<List<Object>>> server;
  private final boolean serverTime;
  private final long patienceNanos;
  private final LongSupplier roundTripNanos;
  private final LongSupplier nanoTime;
  private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger inFlight = new AtomicInteger();

  /** When the calls under way were sent; they are answered in that order. */
  private final ConcurrentLinkedQueue<Long> sentNanos = new ConcurrentLinkedQueue<>();

  private record Waiting(ScriptRequest request, long sinceNanos) {}

  /**
   * @param server sends a batch; completes with the parts of the script's answer
   * @param patience a request that has waited for longer is not sent any more
   * @param roundTripNanos how far away the server is; 0 if that is not known
   */
  RequestBatcher(
      Function<Batch, CompletionStage<List<Object>>> server,
      boolean serverTime,
      Duration patience,
      LongSupplier roundTripNanos,
      LongSupplier nanoTime) {
    this.server = server;
    this.serverTime = serverTime;
    this.patienceNanos = patience.toNanos();
    this.roundTripNanos = roundTripNanos;
    this.nanoTime = nanoTime;
  }

  CompletionStage<ScriptReply> ask(ScriptRequest request) {
    waiting.add(new Waiting(request, nanoTime.getAsLong()));
    send();
    return request.reply;
  }

  private void send() {
    while (!waiting.isEmpty() && tryEnter()) {
      Batch batch = gather();
      if (batch.isEmpty()) {
        leave();
      } else {
        server.apply(batch).whenComplete((parts, failure) -> finish(batch, parts, failure));
      }
    }
  }

  private boolean tryEnter() {
    int now = inFlight.get();
    while (mayEnter(now)) {
      if (inFlight.compareAndSet(now, now + 1)) {
        sentNanos.add(nanoTime.getAsLong());
        return true;
      }
      now = inFlight.get();
    }
    return false;
  }

  private boolean mayEnter(int now) {
    if (now < LEAST_IN_FLIGHT) {
      return true;
    }
    long roundTrip = roundTripNanos.getAsLong();
    if (roundTrip < NEAR_NANOS) {
      return false;
    }
    if (now >= MOST_IN_FLIGHT || now < roundTrip / PACE_NANOS) {
      return now < MOST_IN_FLIGHT;
    }
    return roundTrip >= FAR_NANOS && isWaitTooLong(roundTrip);
  }

  private boolean isWaitTooLong(long roundTrip) {
    long now = nanoTime.getAsLong();
    long tolerable = roundTrip / TOLERABLE_PART;
    Waiting first = waiting.peek();
    Long oldestCall = sentNanos.peek();
    return first != null && now - first.sinceNanos > tolerable
        || oldestCall != null && oldestCall + roundTrip - now > tolerable;
  }

  private void leave() {
    sentNanos.poll();
    inFlight.decrementAndGet();
  }

  private Batch gather() {
    Batch batch = new Batch();
    while (batch.size() < LARGEST_BATCH) {
      Waiting next = waiting.poll();
      if (next == null) {
        break;
      }
      if (nanoTime.getAsLong() - next.sinceNanos > patienceNanos) {
        next.request.reply.completeExceptionally(
            new StoreUnavailableException(
                "waited too long to be sent to Redis; nothing was taken"));
      } else {
        batch.add(next.request);
      }
    }
    return batch;
  }

  /** Sends the next batch before completing this one, whose callers' continuations may be slow. */
  private void finish(Batch batch, List<Object> parts, Throwable failure) {
    leave();
    send();
    if (failure == null) {
      batch.complete(parts, serverTime);
    } else {
      batch.fail(failure);
    }
  }
}
