package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import dev.weir.testkit.FaultReport;
import dev.weir.testkit.RedisServers;
import java.time.Duration;
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
  private static final int SECONDS = 2;
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
      // Each denial that the server gave holds until the next permit is there, so that there is one
      // for every admission, however fast this machine offers requests.
      assertThat(questions.get()).isLessThan(with.admitted * 5 / 2 + KEYS);
      assertThat(without.share()).isBetween(0.5, 1.0); // a busy machine loses some
      assertThat(with.share()).isBetween(0.5, 1.0);
      String outcome =
          String.format(
              "%s; %s without the cache; %.2f questions per decision", with, without, perDecision);
      System.out.println(outcome);
      FaultReport.row("overload, ten times, 100 keys, deny cache", OFFERED, outcome);
    }
  }

  /** What was admitted, of what the limits allowed in the time it took and was asked for. */
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
    long allowed = (long) Math.ceil(KEYS * PER_SECOND * (1 + seconds));
    return new Run(admitted, Math.min(OFFERED, allowed));
  }

  /** Counts the questions that reach a store. */
  private final class Counting extends ForwardingLimitStore {
    private Counting(LimitStore store) {
      super(store);
    }

    @Override
    public CompletionStage<Verdicts> decide(Question question) {
      questions.incrementAndGet();
      return super.decide(question);
    }

    @Override
    public void close() {} // the same store is used again
  }
}
