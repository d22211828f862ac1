package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.FailurePolicy;
import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.testkit.FaultProxy;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisProcess;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** FAULTS 51 to 53: a long outage, listeners that misbehave, answers that come late. */
@Tag("slow")
@Timeout(180)
final class GuardFaultTest {
  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private RedisProcess redis;
  private FaultProxy proxy;
  private String uri;

  @BeforeEach
  void start() {
    redis = SERVERS.redis();
    proxy = FaultProxy.to(redis.port());
    uri = "redis://127.0.0.1:" + proxy.port();
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  @Test
  void anOpenBreakerUnderLoadLetsNothingGrow() {
    int decisions = 1_000_000;
    try (LogLines log = LogLines.of(GuardedStore.class);
        GuardedInstance instance = GuardedInstance.withPolicy(uri, FailurePolicy.ALLOW)) {
      instance.decide("key");
      redis.suspend();
      instance.decideUntil("opened", "key");
      instance.decide("key", 10_000);
      int threads = Thread.activeCount();
      long heap = usedHeap();
      instance.decide("key", decisions);
      long grown = usedHeap() - heap;
      assertThat(grown).isLessThan(8 << 20);
      assertThat(Thread.activeCount() - threads).isLessThanOrEqualTo(4);
      assertThat(log.lines()).hasSize(1);
      FaultReport.row(
          "51 breaker open under load",
          decisions,
          "heap grew by " + Math.max(0, grown >> 10) + " KiB, one line logged",
          instance.longest);
    }
  }

  @Test
  void aListenerThatThrowsOrBlocksKeepsNothingFromGoingOn() {
    CountDownLatch released = new CountDownLatch(1);
    GuardListener bad =
        new GuardListener() {
          @Override
          public void breakerOpened(String node, StoreUnavailableException cause) {
            throw new IllegalStateException("broken listener");
          }

          @Override
          public void fallbackStarted() {
            awaitQuietly(released);
          }
        };
    RedisStore store = RedisStore.builder(uri).timeout(Duration.ofSeconds(1)).build();
    try (GuardedStore guarded =
        GuardedStore.builder(store)
            .deadline(GuardedInstance.DEADLINE)
            .instances(2)
            .listener(bad)
            .build()) {
      RateLimiter limiter =
          RateLimiter.builder()
              .policy(GuardedInstance.policy(FailurePolicy.LOCAL))
              .store(guarded)
              .build();
      limiter.decide("key");
      redis.suspend();
      IntStream.range(0, 30).forEach(i -> limiter.decide("key"));
      redis.resume();
      long start = System.nanoTime();
      Awaitility.await()
          .atMost(GuardedInstance.SOON)
          .until(() -> limiter.peek("key").source() == Source.STORE);
      Awaitility.await()
          .atMost(GuardedInstance.SOON)
          .until(() -> limiter.peek("key").remaining() <= GuardedInstance.LIMIT - 31);
      FaultReport.row(
          "52 a listener that throws and blocks",
          1,
          "probed, charged and answered by the server again while it blocked",
          Duration.ZERO,
          Duration.ofNanos(System.nanoTime() - start));
    } finally {
      released.countDown();
    }
  }

  @Test
  void answersThatComeLateOpenOneBreakerAtATime() {
    try (GuardedInstance instance = GuardedInstance.withPolicy(uri, FailurePolicy.DENY)) {
      instance.decide("key");
      AtomicBoolean over = new AtomicBoolean();
      List<CompletableFuture<Void>> callers =
          IntStream.range(0, 8)
              .mapToObj(
                  i -> CompletableFuture.runAsync(() -> ask(instance, over), GuardFaultTest::run))
              .toList();
      for (int i = 0; i < 6; i++) { // around the deadline: some answers in time, some late
        proxy.delay(Duration.ZERO, GuardedInstance.DEADLINE.plusMillis(i % 2 == 0 ? 60 : -20));
        Fleet.lasting(Duration.ofMillis(700));
      }
      proxy.pass();
      over.set(true);
      callers.forEach(CompletableFuture::join);
      instance.awaitSettled();
      List<String> changes = List.copyOf(instance.events);
      for (int i = 0; i < changes.size(); i++) {
        assertThat(changes.get(i)).isEqualTo(i % 2 == 0 ? "opened" : "closed");
      }
      FaultReport.row(
          "53 answers around and after the deadline, 8 callers",
          6,
          changes.size() / 2 + " times opened and closed in turn, never twice");
    }
  }

  private static void ask(GuardedInstance instance, AtomicBoolean over) {
    while (!over.get()) {
      instance.limiter.peek("key");
    }
  }

  private static void run(Runnable task) {
    new Thread(task, "caller").start();
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
