package dev.weir.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Policy;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How long requests wait to be sent, with a simulated server at a given distance and a clock of its
 * own. Every caller asks again as soon as it is answered.
 */
final class RequestBatcherTest {
  private static final long MILLI = 1_000_000;
  private static final int ROUNDS = 20;

  private final RequestEncoder encoder =
      new RequestEncoder(new EncodedPolicyCache(), new KeyNames("default"), new ManualTime());
  private final Policy policy =
      Policy.of("rule", "limit", Limit.tokenBucket(1, Duration.ofSeconds(1)));
  private final Random random = new Random(7);
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::nanos));
  private final Map<CompletableFuture<?>, Long> delays = new IdentityHashMap<>();
  private final List<Long> waits = new ArrayList<>();
  private long latestDelay;
  private long nowNanos;
  private long lastAnswerNanos;
  private long calls;
  private long asks;
  private int inFlight;
  private int mostInFlight;

  private record Event(long nanos, Runnable task) {}

  /** Fails all calls, since only the time matters here. */
  private record SimulatedCalls(
      Supplier<CompletionStage<List<Object>>> server, ObjLongConsumer<Runnable> timer)
      implements RequestBatcher.Calls {
    @Override
    public CompletionStage<List<Object>> send(Batch batch) {
      batch.markWritten();
      return server.get();
    }

    @Override
    public void answered(Batch batch, List<Object> parts) {
      throw new IllegalStateException("the server fails always");
    }

    @Override
    public void failed(Batch batch, Throwable failure) {
      batch.forEach(questions -> questions.fail(failure));
    }

    @Override
    public void gaveUp(int callers) {
      throw new IllegalStateException("nobody waits for so long");
    }

    @Override
    public void later(long nanos, Runnable task) {
      timer.accept(task, nanos);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "20, 1",
    "20, 10",
    "20, 50",
    "20, 200",
    "20, 1000",
    "30, 1",
    "30, 3",
    "30, 160",
    "30, 200",
    "30, 1000",
    "40, 1",
    "40, 50",
    "40, 200",
    "40, 1000",
    "3, 200",
    "5, 200"
  })
  void farAwayARequestWaitsForATenthOfARoundTripAtMost(long millis, int callers) {
    simulate(callers, millis * MILLI, 0, true);
    assertThat(waits).hasSize(callers * ROUNDS);
    assertThat(Collections.max(waits)).isLessThanOrEqualTo(millis * MILLI / 10);
    simulate(callers, millis * MILLI, 0, false);
    assertThat(Collections.max(waits)).isLessThanOrEqualTo(millis * MILLI / 10);
  }

  @ParameterizedTest
  @CsvSource({"20, 200", "30, 200", "40, 50", "40, 200"})
  void anUnsteadyRoundTripChangesLittle(long millis, int callers) {
    simulate(callers, millis * MILLI, millis * MILLI / 2, false);
    List<Long> sorted = waits.stream().sorted().toList();
    assertThat(sorted.get(sorted.size() / 2)).isLessThanOrEqualTo(millis * MILLI / 20);
    assertThat(sorted.get(sorted.size() * 99 / 100)).isLessThanOrEqualTo(millis * MILLI / 5);
  }

  @ParameterizedTest
  @CsvSource({"20, 200", "30, 200", "30, 1000", "40, 200"})
  void manyCallersOfAFarServerShareItsCalls(long millis, int callers) {
    simulate(callers, millis * MILLI, 0, true);
    assertThat(calls).isLessThan((long) callers * ROUNDS / 4);
    simulate(callers, millis * MILLI, 0, false);
    assertThat(calls).isLessThan((long) callers * ROUNDS / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10})
  void fewCallersOfAFarServerNeverWait(int callers) {
    simulate(callers, 30 * MILLI, 0, false);
    assertThat(waits).hasSize(callers * ROUNDS).allMatch(wait -> wait == 0);
  }

  @Test
  void aNearServerHasTwoCallsUnderWayAndLargeBatches() {
    simulate(256, MILLI / 10, 0, true);
    assertThat(mostInFlight).isEqualTo(2);
    assertThat(calls).isLessThan(256L * ROUNDS / 16);
  }

  @Test
  void aServerInTheSameDatacentreHasSomeCallsUnderWay() {
    simulate(256, MILLI / 2, 0, true);
    assertThat(mostInFlight).isEqualTo(5);
    assertThat(calls).isLessThan(256L * ROUNDS / 8);
  }

  @Test
  void aLoneCallerNeverWaits() {
    simulate(1, MILLI / 10, 0, true);
    assertThat(waits).hasSize(ROUNDS).allMatch(wait -> wait == 0);
    assertThat(calls).isEqualTo(ROUNDS);
  }

  private void simulate(int callers, long roundTrip, long jitter, boolean atOnce) {
    waits.clear();
    calls = 0;
    RequestBatcher batcher =
        new RequestBatcher(
            new SimulatedCalls(
                () -> serve(roundTrip, jitter),
                (task, nanos) -> events.add(new Event(nowNanos + nanos, task))),
            2,
            Duration.ofHours(1),
            () -> roundTrip,
            () -> nowNanos);
    for (int i = 0; i < callers; i++) {
      long start = nowNanos + (atOnce ? 0 : random.nextLong(roundTrip));
      events.add(new Event(start, () -> ask(batcher, ROUNDS)));
    }
    while (!events.isEmpty()) {
      Event next = events.poll();
      nowNanos = Math.max(nowNanos, next.nanos);
      next.task.run();
    }
  }

  /** Answers in order, after a round trip; a failure, since only the time matters here. */
  private CompletionStage<List<Object>> serve(long roundTrip, long jitter) {
    calls++;
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    CompletableFuture<List<Object>> answer = new CompletableFuture<>();
    long delay = roundTrip + (jitter == 0 ? 0 : random.nextLong(jitter));
    lastAnswerNanos = Math.max(lastAnswerNanos, nowNanos + delay);
    delays.put(answer, lastAnswerNanos - nowNanos);
    events.add(
        new Event(
            lastAnswerNanos,
            () -> {
              inFlight--;
              latestDelay = delays.remove(answer);
              answer.completeExceptionally(new StoreUnavailableException("simulated"));
            }));
    return answer;
  }

  private void ask(RequestBatcher batcher, int rounds) {
    if (rounds == 0) {
      return;
    }
    long asked = nowNanos;
    Claim claim = Claim.of(policy, "key-" + asks++); // different ones: equal ones are merged
    AskedQuestion question =
        new AskedQuestion(OperationCode.ACQUIRE, List.of(claim), QuestionHead.none(), 0);
    batcher
        .ask(question, encoder)
        .whenComplete(
            (reply, failure) -> {
              waits.add(nowNanos - asked - latestDelay);
              events.add(new Event(nowNanos, () -> ask(batcher, rounds - 1)));
            });
  }
}
