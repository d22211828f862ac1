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
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ten times more requests than the limits allow: what the deny cache keeps from a real server. That
 * it admits exactly as many is shown by {@code DenyCacheOverloadTest}, with a clock moved by hand.
 */
@Tag("slow")
final class OverloadTest {
  private static final int KEYS = 100;
  private static final int PER_SECOND = 20;
  private static final int SECONDS = 5;
  private static final int OFFERED = 10 * KEYS * PER_SECOND * SECONDS;

  @RegisterExtension static final RedisServers SERVERS = RedisServers.embedded();

  private final AtomicLong questions = new AtomicLong();

  @Test
  void theDenyCacheAsksSeldomAndAdmitsAsMany() {
    try (RedisStore store =
        RedisStore.builder(SERVERS.redis().uri()).timeout(Duration.ofSeconds(5)).build()) {
      Run without = run(store, "without", Duration.ZERO);
      questions.set(0);
      Run with = run(store, "with", Duration.ofSeconds(1));
      double perDecision = (double) questions.get() / OFFERED;
      String outcome =
          String.format(
              "%s; %s without the cache; %.2f questions per decision", with, without, perDecision);
      System.out.println(outcome);
      assertThat(perDecision).isLessThan(0.3);
      assertThat(without.share()).isBetween(0.5, 1.0); // a busy machine loses some
      assertThat(with.share()).isBetween(0.5, 1.0);
      FaultReport.row("overload, ten times, 100 keys, deny cache", OFFERED, outcome);
    }
  }

  /** What was admitted, of what the limits allowed in the time it took. */
  private record Run(long admitted, long allowed) {
    double share() {
      return (double) admitted / allowed;
    }

    @Override
    public String toString() {
      return admitted + " of " + allowed + " admitted";
    }
  }

  /** Offers all requests evenly over the time, key after key. */
  private Run run(RedisStore store, String name, Duration denyCache) {
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
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Run(admitted, (long) Math.ceil(KEYS * PER_SECOND * (1 + seconds)));
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
