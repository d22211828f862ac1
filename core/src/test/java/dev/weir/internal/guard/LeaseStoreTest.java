package dev.weir.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Lease;
import dev.weir.LeaseStatus;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RequestId;
import dev.weir.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LeaseStoreTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ManualTime time = new ManualTime();
  private final MemoryStore memory = MemoryStore.builder().time(time).build();
  private final SlowStore counted = new SlowStore(memory, time, new Random(1), 1, 0);
  private final LeaseStore leases = instance();
  private Policy policy;

  @BeforeEach
  void setTime() {
    time.set(Instant.parse("2026-11-01T10:00:00Z"));
  }

  private LeaseStore instance() {
    return LeaseStore.swept(
        counted, 1000, () -> time.nowMicros() * 1000, new Random(1)::nextDouble);
  }

  private RateLimiter limiter(LeaseStore store, Limit limit) {
    policy = Policy.of("rule", "limit", limit).withLease(SECOND);
    return RateLimiter.builder().policy(policy).store(store).time(time).build();
  }

  /** Asks once in a millisecond, so that the key is hot. */
  private Decision heat(RateLimiter limiter, int requests) {
    Decision last = null;
    for (int i = 0; i < requests; i++) {
      last = ask(limiter);
      time.advance(Duration.ofMillis(1));
    }
    return last;
  }

  private Decision ask(RateLimiter limiter) {
    var answer = limiter.async().decide("key").toCompletableFuture();
    counted.run();
    counted.run();
    return answer.join();
  }

  @Test
  void aHotKeyIsServedWithoutCalls() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(100_000, Duration.ofMinutes(1)));
    heat(limiter, 1000);
    int before = counted.calls;
    Decision last = heat(limiter, 1000);
    assertThat(last.source()).isEqualTo(Source.LEASE);
    assertThat(counted.calls - before).isLessThan(10);
  }

  @Test
  void aRequestThatMayBeRepeatedIsDecidedByTheStore() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(100_000, Duration.ofMinutes(1)));
    assertThat(heat(limiter, 1000).source()).isEqualTo(Source.LEASE);
    CompletableFuture<Decision> answer =
        limiter.async().decide("key", 1, RequestId.of("retried")).toCompletableFuture();
    counted.run();
    assertThat(answer).isCompletedWithValueMatching(given -> given.source() == Source.STORE);
  }

  @Test
  void aColdKeyAsksTheStore() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(100_000, Duration.ofMinutes(1)));
    for (int i = 0; i < 10; i++) {
      assertThat(ask(limiter).source()).isEqualTo(Source.STORE);
      time.advance(SECOND);
    }
  }

  @Test
  void aLeaseEndsWithItsWindow() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(10_000, SECOND.multipliedBy(2)));
    heat(limiter, 1500);
    assertThat(leased()).isGreaterThan(100);
    time.set(Instant.parse("2026-11-01T10:00:02Z"));
    takeAll(10_000);
    for (int i = 0; i < 100; i++) {
      assertThat(ask(limiter).allowed()).isFalse();
    }
  }

  @Test
  void aLeaseOfABucketEndsAfterItsLife() {
    Limit limit = Limit.tokenBucket(1000, SECOND); // fills in a second: a lease lives 500 ms
    RateLimiter limiter = limiter(leases, limit);
    heat(limiter, 300);
    long held = leased();
    assertThat(held).isGreaterThan(20);
    time.advance(Duration.ofMillis(10));
    assertThat(leased()).isEqualTo(held);
    time.advance(Duration.ofMillis(500));
    assertThat(leased()).isZero();
  }

  @Test
  void whatIsOutAndWhatTheBucketHasAreNeverMoreThanTheBurst() {
    Limit limit = Limit.tokenBucket(1000, SECOND);
    RateLimiter first = limiter(leases, limit);
    for (int i = 0; i < 300; i++) {
      ask(first);
      time.advance(Duration.ofMillis(4)); // slower than the bucket refills
    }
    time.advance(Duration.ofMillis(30));
    assertThat(leased()).isGreaterThan(5);
    RateLimiter second = limiter(instance(), limit);
    int allowed = 0;
    for (int i = 0; i < 1500; i++) {
      allowed += ask(second).allowed() ? 1 : 0;
      allowed += ask(first).allowed() ? 1 : 0;
    }
    assertThat(allowed).isBetween(500, 1000);
  }

  @Test
  void aBucketKeepsRoomForWhatIsOut() {
    RateLimiter limiter = limiter(leases, Limit.tokenBucket(60_000, Duration.ofMinutes(1)));
    CompletableFuture<Decision> first = limiter.async().decide("key").toCompletableFuture();
    counted.run();
    assertThat(first.join().remaining()).isEqualTo(60_000 - 1250 - 1);
  }

  @Test
  void denialsAreAnsweredHereUntilTheStoreIsAskedAgain() {
    RateLimiter limiter = limiter(leases, Limit.tokenBucket(100, SECOND));
    for (int i = 0; i < 20_000; i++) {
      ask(limiter);
      time.advanceMicros(100);
    }
    int before = counted.calls;
    int allowed = 0;
    for (int i = 0; i < 20_000; i++) {
      allowed += ask(limiter).allowed() ? 1 : 0;
      time.advanceMicros(100);
    }
    assertThat(allowed).as("two seconds of refill").isBetween(185, 205);
    assertThat((counted.calls - before) / 20_000.0).isLessThanOrEqualTo(0.03);
    Decision denied = ask(limiter);
    while (denied.allowed()) {
      denied = ask(limiter);
    }
    assertThat(denied.source()).isEqualTo(Source.LEASE);
    time.advance(denied.retryAfter());
    assertThat(ask(limiter).allowed()).as("after the wait it named").isTrue();
  }

  @Test
  void anIdleInstanceGivesBackWithinAPeriod() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(10_000, Duration.ofMinutes(1)));
    heat(limiter, 1000);
    time.advance(SECOND.dividedBy(2));
    leases.sweep();
    time.advanceMicros(2);
    counted.run();
    assertThat(storedRemaining()).isEqualTo(9_000);
    assertThat(leased()).isZero();
  }

  @Test
  void aBucketGetsBackWhatHasNotRefilled() {
    RateLimiter limiter =
        limiter(leases, Limit.tokenBucket(10, SECOND).withBurst(20_000)); // refills slowly
    heat(limiter, 1000);
    time.advance(SECOND.dividedBy(2));
    leases.sweep();
    time.advanceMicros(2);
    counted.run();
    assertThat(storedRemaining()).isBetween(19_000L, 19_015L);
  }

  @Test
  void closingGivesBack() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(10_000, Duration.ofMinutes(1)));
    heat(limiter, 1000);
    Thread closing = new Thread(leases::close);
    closing.start();
    while (closing.isAlive()) {
      time.advanceMicros(1);
      counted.run();
    }
    assertThat(storedRemaining()).isEqualTo(9_000);
  }

  @Test
  void aResetActsAtOnce() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(1000, Duration.ofMinutes(1)));
    heat(limiter, 1100);
    assertThat(ask(limiter).allowed()).isFalse();
    var done = limiter.async().reset("key").toCompletableFuture();
    counted.run();
    counted.run();
    done.join();
    assertThat(ask(limiter).allowed()).isTrue();
  }

  @Test
  void aChangedLimitActsAtOnce() {
    heat(limiter(leases, Limit.fixedWindow(10_000, Duration.ofMinutes(1))), 1000);
    RateLimiter changed = limiter(leases, Limit.fixedWindow(500, Duration.ofMinutes(1)));
    assertThat(ask(changed).allowed()).isFalse();
  }

  @Test
  void aRefundCanBeSpentAgainAtOnce() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(10_000, Duration.ofMinutes(1)));
    Decision spent = heat(limiter, 1000);
    long before = leased();
    limiter.async().refund(spent).toCompletableFuture().join();
    assertThat(leased()).isEqualTo(before + 1);
  }

  @Test
  void theStatusSaysWhatIsHeldAndWhatWasDone() {
    RateLimiter limiter = limiter(leases, Limit.fixedWindow(10_000, Duration.ofMinutes(1)));
    heat(limiter, 1000);
    LeaseStatus status = leases.status();
    assertThat(status.calls()).isBetween(1L, 40L);
    assertThat(status.allowed()).isGreaterThan(900);
    LeaseStatus.Held held = status.held().get(0);
    assertThat(held.key()).isEqualTo("key");
    assertThat(held.unspent()).isEqualTo(leased()).isPositive();
    assertThat(held.left()).isBetween(SECOND.multipliedBy(58), Duration.ofMinutes(1));
  }

  @Test
  void aSlidingLogIsRefused() {
    Policy log = Policy.of("rule", "limit", Limit.slidingLog(5, SECOND));
    assertThatThrownBy(() -> log.withLease(Lease.auto()))
        .hasMessage(
            "lease must be left out for a sliding log, which remembers the exact time of every"
                + " request; use sliding-window or token-bucket");
  }

  @Test
  void aPeriodThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> Lease.every(Duration.ofMinutes(2)))
        .hasMessage("lease must be between 10ms and 1m, was 2m");
  }

  private long leased() {
    return leases.unspent(List.of(Claim.of(policy, "key")));
  }

  private long storedRemaining() {
    return plain().peek("key").remaining();
  }

  private void takeAll(int permits) {
    assertThat(plain().tryAcquire("key", permits)).isTrue();
  }

  /** Another instance, which asks the store itself. */
  private RateLimiter plain() {
    return RateLimiter.builder().policy(policy).store(memory).build();
  }
}
