package dev.weir.redis.internal.script;

import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.WakeUpRelay;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the questions that wait while calls are under way into batches, one call each, and merges
 * equal questions into one. Safe for many threads.
 *
 * <p>When to wait depends on how far away the server is, because waiting must not cost more than a
 * small part of a round trip:
 *
 * <ul>
 *   <li>Two calls may always be under way, or one if other servers share the load. A server on the
 *       same machine is served best by two: the busier it is, the larger the batches. There is no
 *       timer: what has gathered is sent when the next call is answered.
 *   <li>From a round trip of 400 us on, one call may be under way for every 100 us of it. Answers
 *       then come every 100 us on average, and that is how long a question waits.
 *   <li>On a near server, a question with many waiting callers is popular. New callers with the
 *       same question wait until it is answered and then share the next call. So a hot key has one
 *       call under way, however many callers it has.
 *   <li>From a round trip of 2 ms on, waiting for an answer takes too long. A call is sent at once
 *       if few are under way or a batch is full, and otherwise a fortieth of the round trip after
 *       the previous call. So calls cost the client little, however many callers there are.
 * </ul>
 */
final class RequestBatcher {
  private static final int MAX_IN_FLIGHT = 1024;
  private static final long PACE_NANOS = 100_000;
  private static final long NEAR_NANOS = 400_000;
  private static final long FAR_NANOS = 2_000_000;

  /** Calls to a far server per round trip; more are sent only if their batches are full. */
  private static final int CALLS_PER_ROUND_TRIP = 40;

  /** Gathering for a far server pays off from this number of calls under way. */
  private static final int FEW_IN_FLIGHT = 10;

  /** The number of callers of one question from which sharing a call pays off. */
  private static final int MANY_CALLERS = 12;

  private final Calls calls;
  private final int leastInFlight;
  private final long patienceNanos;
  private final LongSupplier roundTripNanos;
  private final LongSupplier nanoTime;

  /** Held while a batch is made and sent; always taken before {@code lock}. */
  private final ReentrantLock sendOrder = new ReentrantLock();

  /** Whether there may be something to send that the thread which sends now has not seen. */
  private volatile boolean isSendDue;

  private final ReentrantLock lock = new ReentrantLock();

  // All fields below are guarded by this lock.
  private final ArrayDeque<EqualQuestions> waiting = new ArrayDeque<>();
  private final Map<AskedQuestion, EqualQuestions> joinable = new HashMap<>();

  /** The popular questions, each with the number of its calls under way. */
  private final Map<AskedQuestion, Integer> popular = new HashMap<>();

  /** Questions equal to a popular one; they wait until it is answered. */
  private final Map<AskedQuestion, EqualQuestions> followers = new HashMap<>();

  private int inFlight;

  /** The batch sent last, by any thread. */
  private @Nullable Batch lastSent;

  private long lastSentNanos;

  /** Whether a task is scheduled that sends what waits for a far server. */
  private boolean isPlanned;

  /** The thread that completes answers now; what it asks meanwhile is queued until it is done. */
  private @Nullable Thread completing;

  /** Sends batches and completes their questions. */
  interface Calls {
    /** Sends a batch; completes with the parts of the script's answer. */
    CompletionStage<List<Object>> send(Batch batch);

    /** Completes the questions of a batch. */
    void answered(Batch batch, List<Object> parts);

    void failed(Batch batch, Throwable failure);

    /** Counts callers that are dropped before their question is sent. */
    void gaveUp(int callers);

    /** Runs a task, which may run callers' code, after this time. */
    void later(long nanos, Runnable task);
  }

  /**
   * @param leastInFlight so many calls may be under way however near the server is
   * @param patience how long the question of a caller may wait to be sent
   * @param roundTripNanos how far away the server is; 0 if that is not known
   */
  RequestBatcher(
      Calls calls,
      int leastInFlight,
      Duration patience,
      LongSupplier roundTripNanos,
      LongSupplier nanoTime) {
    this.calls = calls;
    this.leastInFlight = leastInFlight;
    this.patienceNanos = patience.toNanos();
    this.roundTripNanos = roundTripNanos;
    this.nanoTime = nanoTime;
  }

  CompletableFuture<Verdicts> ask(AskedQuestion asked, RequestEncoder encoder) {
    WaitingCaller caller = new WaitingCaller(nanoTime.getAsLong());
    lock.lock();
    boolean maySend;
    try {
      join(asked, encoder, caller);
      maySend = completing != Thread.currentThread() && !waiting.isEmpty() && mayEnterOrPlan();
    } finally {
      lock.unlock();
    }
    if (maySend) {
      sendAll();
    }
    return caller;
  }

  private void join(AskedQuestion asked, RequestEncoder encoder, WaitingCaller caller) {
    EqualQuestions equal = asked.canBeMerged() ? joinable.get(asked) : null;
    if (equal == null) {
      equal = new EqualQuestions(asked, encoder);
      if (asked.canBeMerged()) {
        joinable.put(asked, equal);
      }
      if (popular.containsKey(asked)) {
        followers.put(asked, equal);
      } else {
        waiting.add(equal);
      }
    }
    equal.join(caller);
  }

  /** Sends a question once more, for callers that are still waiting. */
  void askAgain(EqualQuestions questions) {
    locked(() -> waiting.add(questions));
    sendAll();
  }

  /** A batch to send, and the callers that have waited too long to be in it. */
  private record Sending(Batch batch, List<WaitingCaller> late) {}

  private @Nullable Sending next() {
    if (waiting.isEmpty() || !mayEnterOrPlan()) {
      return null;
    }
    Sending next = new Sending(new Batch(), new ArrayList<>(0));
    long now = nanoTime.getAsLong();
    while (!waiting.isEmpty() && next.batch.hasRoomFor(waiting.peek())) {
      EqualQuestions questions = waiting.poll();
      joinable.remove(questions.asked, questions);
      next.late.addAll(questions.remove(caller -> isOver(caller, now)));
      if (questions.callers() > 0) {
        next.batch.add(questions);
        if (isPopular(questions)) {
          questions.isPopular = true;
          popular.merge(questions.asked, 1, Integer::sum);
        }
      }
    }
    if (!next.batch.isEmpty()) {
      inFlight++;
      lastSent = next.batch;
      lastSentNanos = now;
    }
    return next;
  }

  /** Called when all callers of a batch are answered: questions that waited for it may be sent. */
  private void leave(Batch batch) {
    batch.forEach(
        questions -> {
          if (questions.isPopular) {
            lessPopular(questions.asked);
          }
        });
  }

  private void lessPopular(AskedQuestion asked) {
    Integer left = popular.computeIfPresent(asked, (question, n) -> n == 1 ? null : n - 1);
    EqualQuestions next = left == null ? followers.remove(asked) : null;
    if (next != null) {
      waiting.add(next);
    }
  }

  /** Whether new callers with the same question wait until these are answered. */
  private boolean isPopular(EqualQuestions questions) {
    return popular.containsKey(questions.asked)
        || questions.callers() >= MANY_CALLERS && roundTripNanos.getAsLong() < NEAR_NANOS;
  }

  private boolean isOver(WaitingCaller caller, long now) {
    return caller.isDone() || now - caller.sinceNanos > patienceNanos;
  }

  private boolean mayEnterOrPlan() {
    long roundTrip = roundTripNanos.getAsLong();
    if (roundTrip < FAR_NANOS) {
      return inFlight < leastInFlight
          || roundTrip >= NEAR_NANOS && inFlight < roundTrip / PACE_NANOS;
    }
    if (inFlight >= MAX_IN_FLIGHT) {
      return false;
    }
    if (inFlight < FEW_IN_FLIGHT || waiting.size() >= Batch.MAX_QUESTIONS) {
      return true;
    }
    long left = roundTrip / CALLS_PER_ROUND_TRIP - (nanoTime.getAsLong() - lastSentNanos);
    if (left > 0) {
      plan(left);
    }
    return left <= 0;
  }

  private void plan(long nanos) {
    if (!isPlanned) {
      isPlanned = true;
      calls.later(nanos, this::sendPlanned);
    }
  }

  private void sendPlanned() {
    locked(
        () -> {
          isPlanned = false;
          return null;
        });
    sendAll();
  }

  /**
   * Sends what may be sent. Batches are sent in the order they are made, so that the first callers
   * get the permits: one thread sends at a time, and no other waits for it, least of all an event
   * loop. Callers' code runs without a lock.
   */
  private void sendAll() {
    isSendDue = true;
    while (isSendDue && sendOrder.tryLock()) { // who holds it looks at isSendDue again
      Sending next;
      CompletionStage<List<Object>> answer = null;
      try {
        isSendDue = false;
        next = locked(this::next);
        if (next != null && !next.batch.isEmpty()) {
          answer = sent(next.batch);
        }
      } finally {
        sendOrder.unlock();
      }
      if (next != null) {
        isSendDue = true;
        giveUp(next.late);
        awaitAnswer(next.batch, answer);
      }
    }
  }

  private void awaitAnswer(Batch batch, @Nullable CompletionStage<List<Object>> answer) {
    if (answer != null) {
      answer.whenComplete((parts, failure) -> finish(batch, parts, failure));
    }
  }

  private CompletionStage<List<Object>> sent(Batch batch) {
    try {
      return calls.send(batch);
    } catch (RuntimeException failed) {
      return CompletableFuture.failedFuture(failed);
    }
  }

  private void giveUp(List<WaitingCaller> late) {
    if (late.isEmpty()) {
      return;
    }
    calls.gaveUp(late.size());
    for (WaitingCaller caller : late) {
      caller.completeExceptionally(
          new StoreUnavailableException("waited too long to be sent to Redis; nothing was taken"));
    }
  }

  /**
   * Sends the next batch before it completes this one, because continuations of callers may be
   * slow. A caller that asks a popular question again in its continuation joins the next call.
   */
  private void finish(Batch batch, List<Object> parts, Throwable failure) {
    locked(() -> inFlight--);
    batch.markWritten(); // a batch that failed may never have been written
    sendInOrder();
    boolean gathers = startCompleting();
    try {
      WakeUpRelay.afterAll(() -> complete(batch, parts, failure));
    } finally {
      locked(
          () -> {
            completing = gathers ? null : completing;
            leave(batch);
            return null;
          });
      sendInOrder();
    }
  }

  private void complete(Batch batch, List<Object> parts, Throwable failure) {
    if (failure == null) {
      calls.answered(batch, parts);
    } else {
      calls.failed(batch, failure);
    }
  }

  /**
   * Sends what may be sent, on the thread that received an answer. That is normally the
   * connection's event loop, which writes at once; a batch from a caller's thread has to wait for
   * the event loop. To keep the order, nothing is sent here until such a batch is written. Its
   * answer comes soon and sends the next batch.
   */
  private void sendInOrder() {
    if (!Boolean.TRUE.equals(locked(this::mayOvertake))) {
      sendAll();
    }
  }

  private boolean mayOvertake() {
    boolean mayOvertake = inFlight > 0 && lastSent != null && !lastSent.isWritten();
    long roundTrip = roundTripNanos.getAsLong();
    if (mayOvertake && !waiting.isEmpty() && roundTrip >= FAR_NANOS) {
      plan(roundTrip / CALLS_PER_ROUND_TRIP); // an answer of a far server does not come soon
    }
    return mayOvertake;
  }

  /**
   * Queues what this thread asks from now on, until all callers of its batch are answered.
   *
   * @return false if it does not, because another thread completes a batch now
   */
  private boolean startCompleting() {
    lock.lock();
    try {
      boolean gathers = completing == null;
      completing = gathers ? Thread.currentThread() : completing;
      return gathers;
    } finally {
      lock.unlock();
    }
  }

  private <T> @Nullable T locked(Supplier<@Nullable T> step) {
    lock.lock();
    try {
      return step.get();
    } finally {
      lock.unlock();
    }
  }
}
