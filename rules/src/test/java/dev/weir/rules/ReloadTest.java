package dev.weir.rules;

import static dev.weir.rules.Requests.limit;
import static dev.weir.rules.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class ReloadTest {
  private static final int THREADS = 4;
  private static final int REQUESTS = 5_000;
  private static final int CAPACITY = 10_000;

  /** Versions that differ in everything but names and permits, swapped under full load. */
  @Test
  void reloadsNeitherDropNorDuplicateADecision() throws Exception {
    List<RuleSet> versions =
        List.of(
            limit("key: ip, limit: " + CAPACITY + " per day"),
            limit("key: ip, limit: " + CAPACITY + " per 10d, overrides: {b: blocked}"),
            limit("key: ip, by: p, limit: {default: " + CAPACITY + " per 36h}"));
    LiveRules rules = new LiveRules(versions.get(0));
    RateLimiter limiter =
        RateLimiter.forClaims(MemoryStore.builder().time(new ManualTime()).build());
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      CountDownLatch done = new CountDownLatch(THREADS);
      List<Future<Integer>> counts = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        counts.add(threads.submit(requests(rules, limiter, done)));
      }
      for (int swap = 0; done.getCount() > 0; swap++) {
        rules.replace(versions.get(swap % versions.size()));
        Thread.onSpinWait();
      }
      int admitted = 0;
      for (Future<Integer> count : counts) {
        admitted += count.get();
      }
      assertThat(admitted).isEqualTo(CAPACITY);
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<Integer> requests(
      LiveRules rules, RateLimiter limiter, CountDownLatch done) {
    return () -> {
      int admitted = 0;
      for (int i = 0; i < REQUESTS; i++) {
        admitted += limiter.decide(rules.get().claims(request("ip=a"))).allowed() ? 1 : 0;
      }
      done.countDown();
      return admitted;
    };
  }
}
