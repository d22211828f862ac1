package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.internal.arithmetic.LeasePool;
import dev.weir.spi.LeaseAnswer;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LeaseTermsTest {
  private final ManualTime time = new ManualTime();
  private final Random random = new Random(Long.getLong("weir.seed", 1));

  static Stream<Limit> buckets() {
    return Stream.of(
        Limit.tokenBucket(1000, Duration.ofSeconds(1)),
        Limit.tokenBucket(1000, Duration.ofSeconds(1)).withBurst(2300),
        Limit.tokenBucket(500, Duration.ofMillis(333)).withBurst(777),
        Limit.tokenBucket(60_000, Duration.ofMinutes(1)));
  }

  private static LeaseTerms terms(Limit limit) {
    return LeaseTerms.of(Policy.of("rule", "limit", limit).withLease(Duration.ofSeconds(1)));
  }

  /** The worst case for the limit: instances lease as much as they can and spend nothing. */
  @ParameterizedTest
  @MethodSource("buckets")
  void noMoreIsOutThanIsKeptForIt(Limit limit) {
    time.set(Instant.parse("2026-11-01T10:00:00Z"));
    LeaseTerms terms = terms(limit);
    long kept = limit.capacity() - terms.stored().limit().capacity();
    LeasePool pool =
        new LeasePool(terms.stored().limit(), terms.earlyLifeMicros(), terms.lifeMicros());
    LeasedClaims inStore =
        new LeasedClaims(List.of(claim(limit)), Duration.ofNanos(terms.lifeMicros() * 1000));
    Question question = inStore.leasing(new Question(Operation.ACQUIRE, List.of(claim(limit))));
    long mostOut = 0;
    try (MemoryStore store = MemoryStore.builder().time(time).build()) {
      for (int step = 0; step < 20_000; step++) {
        lease(store, question, pool, 1 + random.nextInt((int) kept));
        long out = pool.unspent(time.nowMicros() * 1000);
        assertThat(out).isLessThanOrEqualTo(kept);
        mostOut = Math.max(mostOut, out);
        time.advanceMicros(random.nextInt((int) (terms.lifeMicros() / (1 + random.nextInt(20)))));
      }
    }
    assertThat((double) mostOut / kept).as("the bound is reached").isGreaterThan(0.95);
  }

  private static Claim claim(Limit limit) {
    return Claim.of(Policy.of("rule", "limit", limit).withLease(Duration.ofSeconds(1)), "key");
  }

  private void lease(MemoryStore store, Question question, LeasePool pool, int times) {
    LeaseAnswer answer = store.lease(question, times).toCompletableFuture().join();
    if (answer.granted() > 0) {
      Verdict verdict = answer.verdicts().each().get(0);
      long nanos = time.nowMicros() * 1000;
      pool.add(answer.granted(), nanos, nanos, verdict.atMicros(), verdict.resetAfterMicros());
    }
  }

  @Test
  void aBucketThatFillsQuicklyHasShorterLeases() {
    LeaseTerms terms = terms(Limit.tokenBucket(1000, Duration.ofSeconds(1)));
    assertThat(terms.lifeMicros()).isEqualTo(500_000);
    assertThat(terms.earlyLifeMicros()).isEqualTo(275_000);
    assertThat(terms.stored().limit().capacity()).isEqualTo(500);
    assertThat(terms.out().stream().map(each -> each.limit().capacity()))
        .containsExactly(625L, 375L);
  }

  @Test
  void aLargeBurstKeepsWhatRefillsInAPeriodAndAQuarter() {
    LeaseTerms terms = terms(Limit.tokenBucket(100_000, Duration.ofMinutes(1)));
    assertThat(terms.lifeMicros()).isEqualTo(1_000_000);
    assertThat(terms.stored().limit().capacity()).isEqualTo(100_000 - 2_084);
  }

  @Test
  void aBurstOfOneIsNotLeased() {
    assertThat(terms(Limit.tokenBucket(1, Duration.ofMinutes(1))).canLease(1)).isFalse();
  }
}
