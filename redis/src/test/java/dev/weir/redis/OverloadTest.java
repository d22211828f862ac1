package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import dev.weir.Source;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.RedisProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ten times more requests than the limits allow: what the deny cache keeps from the server. */
@Tag("slow")
final class OverloadTest {
  private static final int KEYS = 100;
  private static final int PER_SECOND = 20;
  private static final int SECONDS = 5;
  private static final int OFFERED = 10 * KEYS * PER_SECOND * SECONDS;

  private final AtomicLong questions = new AtomicLong();

  @Test
  void theDenyCacheAsksSeldomAndAdmitsAsMany() {
    try (RedisProcess redis = RedisProcess.start();
        RedisStore store = RedisStore.builder(redis.uri()).timeout(Duration.ofSeconds(5)).build()) {
      long without = admitted(store, "without", Duration.ZERO);
      questions.set(0);
      long with = admitted(store, "with", Duration.ofSeconds(1));
      double perDecision = (double) questions.get() / OFFERED;
      long bound = (long) KEYS * PER_SECOND * (SECONDS + 1);
      System.out.printf(
          "offered %d, admitted %d without and %d with the deny cache (bound %d at five seconds);"
              + " questions per decision %.2f%n",
          OFFERED, without, with, bound, perDecision);
      assertThat(perDecision).isLessThan(0.3);
      assertThat(with).isBetween(without * 95 / 100, without * 105 / 100);
      FaultReport.row(
          "overload, ten times, 100 keys, deny cache",
          OFFERED,
          with
              + " admitted, "
              + without
              + " without it; "
              + Math.round(perDecision * 100)
              + " questions per 100 decisions",
          Duration.ZERO);
    }
  }

  /** Offers all requests evenly over the time, key after key. */
  private long admitted(RedisStore store, String name, Duration denyCache) {
    LimitStore guarded =
        GuardedStore.builder(new Counting(store))
            .deadline(Duration.ofSeconds(5))
            .denyCache(denyCache)
            .build();
    RateLimiter limiter =
        RateLimiter.builder()
            .name(name)
            .limit("rate", Limit.tokenBucket(PER_SECOND, Duration.ofSeconds(1)))
            .store(guarded)
            .build();
    long start = System.nanoTime();
    long admitted = 0;
    for (int i = 0; i < OFFERED; i++) {
      long due = start + i * (SECONDS * 1_000_000_000L / OFFERED);
      while (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      Decision decision = limiter.decide("key-" + i % KEYS);
      assertThat(decision.source()).isNotEqualTo(Source.FALLBACK);
      admitted += decision.allowed() ? 1 : 0;
    }
    return admitted;
  }

  /** Counts the questions that reach a store. */
  private final class Counting implements LimitStore {
    private final LimitStore store;

    private Counting(LimitStore store) {
      this.store = store;
    }

    @Override
    public CompletionStage<Verdicts> decide(Question question) {
      questions.incrementAndGet();
      return store.decide(question);
    }

    @Override
    public CompletionStage<Verdicts> refund(Receipt receipt) {
      return store.refund(receipt);
    }

    @Override
    public CompletionStage<Void> reset(List<Claim> claims) {
      return store.reset(claims);
    }

    @Override
    public void close() {}
  }
}
