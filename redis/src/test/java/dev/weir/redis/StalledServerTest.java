package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.Limit;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** FAULTS 9: the server or the way to it stands still, and nobody says so. */
@Tag("slow")
@Timeout(120)
final class StalledServerTest {
  private static final Duration TIMEOUT = Duration.ofMillis(200);

  /** The timeout and what a busy machine adds to it. */
  private static final Duration DEADLINE = Duration.ofMillis(1000);

  /** Where the fastest of several answers shows what the clock of timeouts adds. */
  private static final Duration PRECISE = Duration.ofMillis(250);

  private static final long PERMITS = 1_000_000;
  private static final Limit LIMIT = Limit.slidingLog(PERMITS, Duration.ofDays(1));

  private RedisProcess redis;
  private FaultProxy proxy;
  private RedisStore store;
  private Asking asking;

  @BeforeEach
  void open() {
    redis = RedisProcess.start();
    proxy = FaultProxy.to(redis.port());
    store = builder().build();
    asking = Asking.about(store, LIMIT);
  }

  @AfterEach
  void close() {
    store.close();
    proxy.close();
    redis.close();
  }

  private RedisStore.Builder builder() {
    return RedisStore.builder("redis://127.0.0.1:" + proxy.port()).timeout(TIMEOUT);
  }

  @Test
  void aSuspendedServerIsAnsweredForByTheTimeoutAndInStepAfterwards() {
    asking.take("warm", 1);
    for (int round = 0; round < 5; round++) {
      redis.suspend();
      for (int i = 0; i < 4; i++) {
        assertTimesOut("suspended-" + round + "-" + i);
      }
      redis.resume();
      assertInStep("after-" + round);
    }
    assertThat(asking.longest()).isLessThan(DEADLINE);
    FaultReport.row("9 SIGSTOP", 20, "fails by the timeout; in step after", asking.longest());
  }

  @Test
  void aTimeoutIsKeptToSomeMilliseconds() {
    asking.take("warm", 1);
    redis.suspend();
    Duration fastest = DEADLINE;
    for (int i = 0; i < 5; i++) {
      Asking one = Asking.about(store, LIMIT);
      one.failureOfTake("suspended-" + i);
      fastest = one.longest().compareTo(fastest) < 0 ? one.longest() : fastest;
    }
    assertThat(fastest).isBetween(TIMEOUT.minusMillis(10), PRECISE);
  }

  @Test
  void aPausedServerIsAnsweredForByTheTimeout() {
    asking.take("warm", 1);
    redis.command("CLIENT", "PAUSE", "1500", "ALL");
    for (int i = 0; i < 4; i++) {
      assertTimesOut("paused-" + i);
    }
    assertInStep("after");
    assertThat(asking.longest()).isLessThan(DEADLINE);
    FaultReport.row("9 CLIENT PAUSE", 4, "fails by the timeout; in step after", asking.longest());
  }

  @Test
  void aBlackholeIsAnsweredForByTheTimeoutAndLeftOnceItIsThere() {
    asking.take("warm", 1);
    proxy.blackhole();
    for (int i = 0; i < 10; i++) {
      assertTimesOut("swallowed-" + i);
    }
    proxy.pass(); // the old connection stays dead, as after a router forgot it; a new one would do
    assertInStep("after");
    assertThat(asking.longest()).isLessThan(DEADLINE);
    FaultReport.row(
        "9 blackhole without RST",
        10,
        "fails by the timeout; a new connection within seconds",
        asking.longest());
  }

  @Test
  void oneByteASecondIsAnsweredForByTheTimeoutAndInStepAfterwards() {
    asking.take("warm", 1);
    proxy.slow(1);
    for (int i = 0; i < 5; i++) {
      assertTimesOut("slow-" + i);
    }
    proxy.pass();
    assertInStep("after");
    assertThat(asking.longest()).isLessThan(DEADLINE);
    FaultReport.row("9 one byte a second", 5, "fails by the timeout", asking.longest());
  }

  @Test
  void callsThatWaitAreBoundedAndTheRestFailAtOnce() {
    store.close();
    store = builder().maxInFlight(20).build();
    asking = Asking.about(store, LIMIT);
    redis.command("CONFIG", "RESETSTAT");
    redis.suspend();
    long start = System.nanoTime();
    List<CompletableFuture<Verdicts>> calls = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      calls.add(asking.send("key-" + i, 1));
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(DEADLINE);
    long refused = calls.stream().filter(CompletableFuture::isCompletedExceptionally).count();
    assertThat(refused).isEqualTo(480);
    assertThat(calls.get(499))
        .failsWithin(DEADLINE)
        .withThrowableThat()
        .withMessageContaining("20 calls already wait for Redis at 127.0.0.1:" + proxy.port());
    calls.forEach(StalledServerTest::awaitFailure);
    redis.resume();
    assertInStep("after");
  }

  @Test
  void aLongStallDoesNotPileUpCalls() {
    store.close();
    store = builder().timeout(Duration.ofMillis(20)).maxInFlight(20).build();
    asking = Asking.about(store, LIMIT);
    redis.command("CONFIG", "RESETSTAT");
    redis.suspend();
    for (int round = 0; round < 50; round++) {
      List<CompletableFuture<Verdicts>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        calls.add(asking.send("key-" + round + "-" + i, 1));
      }
      calls.forEach(StalledServerTest::awaitFailure);
    }
    redis.resume();
    try (Admin admin = Admin.of(redis)) {
      assertThat(admin.scriptCalls()).isLessThanOrEqualTo(120);
    }
    assertInStep("after");
  }

  @Test
  void manyThreadsAreAllAnsweredByTheTimeout() throws Exception {
    asking.take("warm", 1);
    redis.suspend();
    List<CompletableFuture<Duration>> threads = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      String key = "thread-" + i;
      CompletableFuture<Duration> done = new CompletableFuture<>();
      threads.add(done);
      new Thread(
              () -> {
                Asking own = Asking.about(store, LIMIT);
                own.failureOfTake(key);
                done.complete(own.longest());
              })
          .start();
    }
    for (CompletableFuture<Duration> each : threads) {
      assertThat(each.get()).isBetween(TIMEOUT.dividedBy(2), DEADLINE.multipliedBy(2));
    }
    redis.resume();
    assertInStep("after");
  }

  private void assertTimesOut(String key) {
    StoreUnavailableException failure = asking.failureOfTake(key);
    assertThat(failure)
        .hasMessage(
            "Redis at 127.0.0.1:"
                + proxy.port()
                + " did not answer in time; permits may have been taken");
  }

  /**
   * Waits until 200 questions in a row are answered. Each takes another number, so that an answer
   * shows which question it belongs to; a busy machine may make one late, a wrong one fails.
   */
  private void assertInStep(String prefix) {
    AtomicInteger attempts = new AtomicInteger();
    await()
        .atMost(Duration.ofSeconds(15))
        .ignoreException(StoreUnavailableException.class)
        .until(() -> answersInStep(prefix + "-" + attempts.incrementAndGet()) == 200);
  }

  private int answersInStep(String prefix) {
    Asking recovery = Asking.about(store, LIMIT);
    int answered = 0;
    for (int batch = 1; batch <= 200; batch += 20) {
      List<CompletableFuture<Verdicts>> answers = new ArrayList<>();
      for (int i = batch; i < batch + 20; i++) {
        answers.add(recovery.send(prefix + "-" + i, i));
      }
      for (int i = batch; i < batch + 20; i++) {
        assertThat(recovery.await(answers.get(i - batch)).each().get(0).remaining())
            .isEqualTo(PERMITS - i);
        answered++;
      }
    }
    return answered;
  }

  private static void awaitFailure(CompletableFuture<Verdicts> call) {
    try {
      call.join();
      throw new AssertionError("answered by a server that stands still");
    } catch (CompletionException expected) {
      assertThat(expected).hasCauseInstanceOf(StoreUnavailableException.class);
    }
  }
}
