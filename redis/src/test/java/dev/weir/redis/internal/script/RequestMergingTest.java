package dev.weir.redis.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Policy;
import dev.weir.StoreUnavailableException;
import dev.weir.redis.internal.protocol.EncodedPolicyCache;
import dev.weir.redis.internal.protocol.KeyNames;
import dev.weir.redis.internal.protocol.OperationCode;
import dev.weir.redis.internal.protocol.QuestionHead;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Which callers share a question, and when it is sent; the server answers when a test says so. */
final class RequestMergingTest implements RequestBatcher.Calls {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private final RequestEncoder encoder =
      new RequestEncoder(new EncodedPolicyCache(), new KeyNames("default"), new ManualTime());
  private final Policy policy =
      Policy.of("rule", "limit", Limit.tokenBucket(1, Duration.ofSeconds(1)));
  private final List<CompletableFuture<List<Object>>> underWay = new ArrayList<>();
  private final List<List<Integer>> sent = new ArrayList<>();
  private long nowNanos;
  private long roundTripNanos = 50_000;
  private int gaveUp;
  private boolean writesAtOnce = true;
  private Runnable whileSending = () -> {};
  private final List<Batch> batches = new ArrayList<>();
  private final List<Runnable> planned = new ArrayList<>();
  private RequestBatcher batcher = batcherWith(2);

  private RequestBatcher batcherWith(int leastInFlight) {
    return new RequestBatcher(this, leastInFlight, PATIENCE, () -> roundTripNanos, () -> nowNanos);
  }

  @Override
  public CompletionStage<List<Object>> send(Batch batch) {
    List<Integer> callers = new ArrayList<>();
    batch.forEach(questions -> callers.add(questions.callers()));
    sent.add(callers);
    batches.add(batch);
    Runnable meanwhile = whileSending;
    whileSending = () -> {};
    meanwhile.run();
    if (writesAtOnce) {
      batch.markWritten();
    }
    CompletableFuture<List<Object>> answer = new CompletableFuture<>();
    underWay.add(answer);
    return answer;
  }

  @Override
  public void answered(Batch batch, List<Object> parts) {
    Verdicts verdicts = new Verdicts(true, List.of());
    batch.forEach(questions -> questions.answerAll(verdicts));
  }

  @Override
  public void failed(Batch batch, Throwable failure) {
    batch.forEach(questions -> questions.fail(failure));
  }

  @Override
  public void gaveUp(int callers) {
    gaveUp += callers;
  }

  @Override
  public void later(long nanos, Runnable task) {
    planned.add(task);
  }

  private CompletableFuture<Verdicts> ask(OperationCode operation, String key, long permits) {
    Claim claim = new Claim(policy, key, permits);
    return batcher.ask(
        new AskedQuestion(operation, List.of(claim), QuestionHead.none(), 0), encoder);
  }

  private CompletableFuture<Verdicts> ask(String key) {
    return ask(OperationCode.ACQUIRE, key, 1);
  }

  private void answerNext() {
    underWay.remove(0).complete(List.of());
  }

  @Test
  void callersOfOneQuestionThatWaitAreSentAsOne() {
    ask("a");
    ask("b");
    List<CompletableFuture<Verdicts>> waiting = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      waiting.add(ask(i % 4 == 0 ? "b" : "a"));
    }
    answerNext();
    assertThat(sent).containsExactly(List.of(1), List.of(1), List.of(25, 75));
    answerNext();
    answerNext();
    assertThat(waiting).allMatch(CompletableFuture::isDone);
  }

  @Test
  void aBatchThatIsNotYetWrittenIsNotOvertaken() {
    ask("first");
    writesAtOnce = false;
    ask("second");
    ask("third");
    answerNext();
    assertThat(sent).hasSize(2);
    batches.get(1).markWritten();
    answerNext();
    assertThat(sent).hasSize(3);
  }

  @Test
  void aBatchThatFailedBeforeItWasWrittenHoldsNothingUp() {
    writesAtOnce = false;
    ask("first");
    ask("second");
    ask("third");
    underWay.remove(0).completeExceptionally(new StoreUnavailableException("not connected"));
    assertThat(sent).hasSize(2);
    underWay.remove(0).completeExceptionally(new StoreUnavailableException("not connected"));
    assertThat(sent).hasSize(3);
  }

  @Test
  void aCallerDoesNotWaitForTheThreadThatSends() {
    whileSending =
        () ->
            assertThat(CompletableFuture.runAsync(() -> ask("y"), task -> new Thread(task).start()))
                .succeedsWithin(Duration.ofSeconds(10));
    ask("x");
    assertThat(sent).containsExactly(List.of(1), List.of(1));
  }

  @Test
  void whereOneCallIsEnoughTheSecondQuestionWaitsForItsAnswer() {
    batcher = batcherWith(1);
    ask("x");
    ask("y");
    ask("z");
    assertThat(sent).containsExactly(List.of(1));
    answerNext();
    assertThat(sent).containsExactly(List.of(1), List.of(1, 1));
  }

  @Test
  void onlyEqualQuestionsAreMerged() {
    ask("x");
    ask("y");
    ask(OperationCode.ACQUIRE, "a", 1);
    ask(OperationCode.ACQUIRE, "a", 2);
    ask(OperationCode.PEEK, "a", 1);
    ask(OperationCode.CHARGE, "a", 1);
    ask(OperationCode.CHARGE, "a", 1);
    answerNext();
    assertThat(sent.get(2)).containsExactly(1, 1, 1, 1, 1);
  }

  @Test
  void whoCancelsBeforeItIsSentIsNotCounted() {
    ask("x");
    ask("y");
    CompletableFuture<Verdicts> first = ask("a");
    CompletableFuture<Verdicts> second = ask("a");
    ask("a");
    second.cancel(false);
    answerNext();
    assertThat(sent.get(2)).containsExactly(2);
    assertThat(gaveUp).isEqualTo(1);
    answerNext();
    answerNext();
    assertThat(first).isCompleted();
    assertThat(second).isCancelled();
  }

  @Test
  void whoHasWaitedForTooLongIsNotSentButWhoCameLaterIs() {
    ask("x");
    ask("y");
    CompletableFuture<Verdicts> early = ask("a");
    nowNanos += PATIENCE.toNanos();
    CompletableFuture<Verdicts> late = ask("a");
    nowNanos += 1;
    answerNext();
    assertThat(sent.get(2)).containsExactly(1);
    assertThatThrownBy(early::join)
        .hasCauseInstanceOf(StoreUnavailableException.class)
        .hasMessageEndingWith("waited too long to be sent to Redis; nothing was taken");
    assertThat(late).isNotDone();
    answerNext();
    answerNext();
    assertThat(late).isCompleted();
  }

  @Test
  void aQuestionThatManyWaitForHasOneCallUnderWay() {
    ask("a");
    ask("a");
    for (int i = 0; i < 50; i++) {
      ask("a");
    }
    answerNext();
    for (int i = 0; i < 60; i++) {
      ask("a");
    }
    answerNext();
    assertThat(sent).containsExactly(List.of(1), List.of(1), List.of(50));
    ask("other");
    assertThat(sent).hasSize(4);
    answerNext();
    assertThat(sent).hasSize(5).last().isEqualTo(List.of(60));
  }

  @Test
  void farAwayNobodyWaitsForTheAnswerToAnother() {
    roundTripNanos = 30_000_000;
    for (int i = 0; i < 100; i++) {
      ask("a");
    }
    assertThat(sent).hasSize(10).allMatch(callers -> callers.equals(List.of(1)));
    assertThat(planned).hasSize(1);
    nowNanos += roundTripNanos / 40;
    planned.remove(0).run();
    assertThat(sent).hasSize(11).last().isEqualTo(List.of(90));
    assertThat(underWay).hasSize(11);
  }

  @Test
  void farAwayWhatMustNotOvertakeIsSentALittleLater() {
    roundTripNanos = 30_000_000;
    ask("a").thenRun(() -> ask("b"));
    writesAtOnce = false;
    ask("a");
    answerNext();
    assertThat(sent).hasSize(2);
    batches.get(1).markWritten();
    nowNanos += roundTripNanos / 40;
    planned.remove(0).run();
    assertThat(sent).hasSize(3);
  }

  @Test
  void whatContinuationsAskTogetherIsSentTogether() {
    ask("a").thenRun(() -> ask("b"));
    ask("a").thenRun(() -> ask("b"));
    answerNext();
    answerNext();
    assertThat(sent).hasSize(4); // one answer each, so one question each
    ask("x");
    ask("x");
    for (int i = 0; i < 10; i++) {
      ask("a").thenRun(() -> ask("c"));
    }
    while (!underWay.isEmpty()) {
      answerNext();
    }
    assertThat(sent).last().isEqualTo(List.of(10));
  }
}
