package dev.weir.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class RepeatingTaskTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  @Test
  void aTaskThatFailsRunsAgain() throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(3);
    RepeatingTask task =
        new RepeatingTask(
            "failing",
            Workers.EXECUTOR,
            () -> {
              runs.countDown();
              throw new IllegalStateException("for the log of this test");
            });
    try (task) {
      task.start(SHORT);
      assertThat(runs.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aTaskNeverRunsOnTheTimer() {
    CompletableFuture<Boolean> onTimer = new CompletableFuture<>();
    try (RepeatingTask task =
        new RepeatingTask(
            "asking for its thread",
            Callbacks.EXECUTOR,
            () -> onTimer.complete(Scheduler.isCurrentThread()))) {
      task.start(SHORT);
      assertThat(onTimer.join()).isFalse();
    }
  }

  /** The executor runs what it was given only after the task was closed. */
  @Test
  void aRunThatWaitsForItsThreadIsGivenUpByClosing() throws InterruptedException {
    LinkedBlockingQueue<Runnable> handedOver = new LinkedBlockingQueue<>();
    AtomicInteger runs = new AtomicInteger();
    RepeatingTask task = new RepeatingTask("late", handedOver::add, runs::incrementAndGet);
    task.start(SHORT);
    Runnable run = handedOver.take();
    task.close();
    run.run();
    assertThat(runs).hasValue(0);
    assertThat(handedOver).isEmpty();
  }

  @Test
  void closingInterruptsTheRunUnderWayAndLeavesTheThreadUsable() throws InterruptedException {
    CountDownLatch waiting = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Queue<Boolean> flags = new ArrayDeque<>();
    CountDownLatch ended = new CountDownLatch(1);
    RepeatingTask task =
        new RepeatingTask(
            "waiting",
            run ->
                Workers.EXECUTOR.execute(
                    () -> {
                      run.run();
                      flags.add(Thread.currentThread().isInterrupted());
                      ended.countDown();
                    }),
            () -> {
              waiting.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException closing) {
                Thread.currentThread().interrupt();
                interrupted.complete(true);
              }
            });
    task.start(SHORT);
    waiting.await();
    task.close();
    assertThat(interrupted.join()).isTrue();
    ended.await();
    assertThat(flags).containsExactly(false);
  }

  @Test
  void anIntervalIsLongerThanZero() {
    try (RepeatingTask task = new RepeatingTask("never", Workers.EXECUTOR, () -> {})) {
      assertThatThrownBy(() -> task.start(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("interval must be longer than zero, was 0s");
    }
  }
}
