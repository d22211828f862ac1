package dev.weir.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class BlockedCallerTest {
  @Test
  void everyCallerOfAnswersThatComeTogetherGetsItsOwn() throws Exception {
    int callers = 200;
    List<CompletableFuture<Integer>> answers = new ArrayList<>();
    List<FutureTask<Integer>> waiting = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      CompletableFuture<Integer> answer = new CompletableFuture<>();
      answers.add(answer);
      FutureTask<Integer> task = new FutureTask<>(() -> BlockedCaller.join(answer));
      waiting.add(task);
      threads.add(started(task));
    }
    threads.forEach(BlockedCallerTest::awaitSleep);

    WakeUpRelay.afterAll(
        () -> {
          for (int i = 0; i < callers; i++) {
            answers.get(i).complete(i);
          }
        });

    for (int i = 0; i < callers; i++) {
      assertThat(waiting.get(i).get(10, TimeUnit.SECONDS)).isEqualTo(i);
    }
  }

  @Test
  void callersAreWokenAlsoIfCompletingTheirAnswersFails() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    FutureTask<String> waiting = new FutureTask<>(() -> BlockedCaller.join(answer));
    awaitSleep(started(waiting));

    assertThatThrownBy(
            () ->
                WakeUpRelay.afterAll(
                    () -> {
                      answer.complete("mine");
                      throw new IllegalStateException("of another answer");
                    }))
        .hasMessage("of another answer");

    assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("mine");
  }

  @Test
  void aThreadThatWaitsWhileItCompletesAnswersWakesTheirCallersFirst() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    CompletableFuture<String> second = new CompletableFuture<>();
    FutureTask<Boolean> passesOn =
        new FutureTask<>(() -> second.complete(BlockedCaller.join(first)));
    awaitSleep(started(passesOn));
    FutureTask<String> completes =
        new FutureTask<>(
            () -> {
              List<String> seen = new ArrayList<>();
              WakeUpRelay.afterAll(
                  () -> {
                    first.complete("passed on");
                    seen.add(BlockedCaller.join(second));
                  });
              return seen.get(0);
            });
    started(completes);

    assertThat(completes.get(10, TimeUnit.SECONDS)).isEqualTo("passed on");
  }

  @Test
  void anInterruptedCallerGetsItsAnswerAndStaysInterrupted() throws Exception {
    CompletableFuture<String> answer = new CompletableFuture<>();
    FutureTask<String> waiting =
        new FutureTask<>(
            () -> BlockedCaller.join(answer) + ", interrupted: " + Thread.interrupted());
    Thread thread = started(waiting);
    awaitSleep(thread);
    thread.interrupt();
    awaitSleep(thread);
    answer.complete("answered");

    assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("answered, interrupted: true");
  }

  @Test
  void aFailureIsThrownAsItIs() {
    CompletableFuture<String> answer = new CompletableFuture<>();
    IllegalStateException failure = new IllegalStateException("closed");
    started(() -> answer.completeExceptionally(failure));

    assertThatThrownBy(() -> BlockedCaller.join(answer)).isSameAs(failure);
  }

  @Test
  void aPoolAddsAThreadForACallerThatWaits() throws Exception {
    ForkJoinPool pool = new ForkJoinPool(1);
    try {
      CompletableFuture<String> answer = new CompletableFuture<>();
      var waiting = pool.submit((Callable<String>) () -> BlockedCaller.join(answer));
      pool.submit(() -> answer.complete("from the same pool"));

      assertThat(waiting.get(10, TimeUnit.SECONDS)).isEqualTo("from the same pool");
    } finally {
      pool.shutdownNow();
    }
  }

  private static Thread started(Runnable task) {
    Thread thread = new Thread(task, "blocked-caller");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitSleep(Thread thread) {
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(() -> thread.getState() == Thread.State.WAITING);
  }
}
