package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every store promises about limits on requests in flight. */
abstract class InFlightContract extends OpenedStore {
  private static final Duration HOLD = Duration.ofSeconds(30);

  private RateLimiter fiveAtOnce() {
    return limiter(Limit.inFlight(5, HOLD));
  }

  @Test
  void aSlotIsFreeAgainOnceItIsReleased() {
    RateLimiter limiter = fiveAtOnce();
    List<Decision> holders = new ArrayList<>();
    for (long left = 4; left >= 0; left--) {
      holders.add(limiter.decide("key"));
      assertThat(holders.get(holders.size() - 1).remaining()).isEqualTo(left);
    }
    assertThat(limiter.decide("key").allowed()).isFalse();
    assertThat(limiter.decide("other").allowed()).isTrue();
    limiter.release(holders.get(2));
    assertThat(limiter.decide("key").allowed()).isTrue();
    assertThat(limiter.decide("key").allowed()).isFalse();
  }

  @Test
  void aSlotIsLostExactlyAfterItsHold() {
    RateLimiter limiter = fiveAtOnce();
    limiter.decide("key", 2);
    time.advance(SECOND);
    limiter.decide("key", 3);
    Decision denied = limiter.decide("key", 2);
    assertThat(denied.retryAfter()).isEqualTo(HOLD.minus(SECOND));
    assertThat(denied.resetAfter()).isEqualTo(HOLD);
    assertThat(limiter.decide("key", 3).retryAfter()).isEqualTo(HOLD);
    time.advance(denied.retryAfter().minus(MICRO));
    assertThat(limiter.peek("key", 1).allowed()).isFalse();
    time.advance(MICRO);
    assertThat(limiter.peek("key", 3).allowed()).isFalse();
    assertThat(limiter.decide("key", 2).allowed()).isTrue();
    time.advance(HOLD);
    assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    assertThat(limiter.peek("key").resetAfter()).isZero();
  }

  @Test
  void releasingTwiceGivesOneSlotBack() {
    RateLimiter limiter = fiveAtOnce();
    Decision first = limiter.decide("key", 2);
    limiter.decide("key", 3);
    limiter.release(first);
    limiter.release(first);
    limiter.refund(first);
    assertThat(limiter.peek("key").remaining()).isEqualTo(2);
  }

  @Test
  void nobodyReleasesSlotsWithoutTheirHolder() {
    RateLimiter limiter = fiveAtOnce();
    Receipt held = limiter.decide("key", 5).receipt().orElseThrow();
    long at = held.grants().get(0).atMicros().orElseThrow();
    limiter.refund("key", 5);
    await(store.refund(Receipt.granted(held.claims(), at)));
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  @Test
  void aRenewedSlotIsKeptForAnotherHold() {
    RateLimiter limiter = fiveAtOnce();
    Decision kept = limiter.decide("key", 2);
    Decision left = limiter.decide("key", 1);
    time.advance(HOLD.minus(MICRO));
    assertThat(limiter.renew(kept)).isTrue();
    time.advance(MICRO);
    assertThat(limiter.peek("key").remaining()).isEqualTo(3);
    assertThat(limiter.renew(left)).isFalse();
    time.advance(HOLD.minus(MICRO));
    assertThat(limiter.peek("key").remaining()).isEqualTo(5);
  }

  @Test
  void renewingNeverRevivesASlot() {
    RateLimiter limiter = fiveAtOnce();
    Decision lost = limiter.decide("key", 1);
    Decision released = limiter.decide("key", 1);
    limiter.release(released);
    assertThat(limiter.renew(released)).isFalse();
    time.advance(HOLD);
    assertThat(limiter.decide("key", 5).allowed()).isTrue();
    assertThat(limiter.renew(lost)).isFalse();
    limiter.release(lost);
    assertThat(limiter.peek("key").remaining()).isZero();
  }

  @Test
  void manySlotsAreRenewedInOneCall() {
    RateLimiter limiter = fiveAtOnce();
    List<Receipt.Grant> grants = new ArrayList<>();
    for (String key : List.of("a", "b", "a", "c", "a")) {
      grants.addAll(limiter.decide(key).receipt().orElseThrow().grants());
    }
    limiter.release(new Receipt(List.of(grants.get(2))));
    assertThat(await(store.renew(new Receipt(grants))))
        .containsExactly(true, true, false, true, true);
  }

  @Test
  void aChargeTakesNoSlots() {
    RateLimiter limiter = fiveAtOnce();
    limiter.decide("key", 4);
    Decision charged = limiter.charge("key", 3);
    assertThat(charged.allowed()).isTrue();
    assertThat(charged.outcomes().get(0).allowed()).isTrue();
    assertThat(limiter.peek("key").remaining()).isEqualTo(1);
  }

  @Test
  void moreSlotsThanThereAreAreNeverFree() {
    Decision denied = fiveAtOnce().decide("key", 6);
    assertThat(denied.retryAfter()).isEqualTo(Decision.NEVER);
    assertThat(denied.remaining()).isEqualTo(5);
    assertThat(denied.endsWithRelease()).isFalse();
  }

  @Test
  void ratesAndSlotsAreTakenTogetherOrNotAtAll() {
    RateLimiter limiter =
        limiter(
            Limit.tokenBucket(10, SECOND),
            Limit.inFlight(2, HOLD),
            Limit.slidingLog(8, Duration.ofHours(1)));
    Decision first = limiter.decide("key");
    limiter.decide("key");
    Decision denied = limiter.decide("key");
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.endsWithRelease()).isTrue();
    assertThat(denied.outcomes()).extracting(o -> o.remaining()).containsExactly(8L, 0L, 6L);
    limiter.release(first);
    Decision third = limiter.decide("key");
    assertThat(third.outcomes()).extracting(o -> o.remaining()).containsExactly(7L, 0L, 5L);
    limiter.refund(third);
    assertThat(limiter.peek("key").outcomes())
        .extracting(o -> o.remaining())
        .containsExactly(8L, 1L, 6L);
  }

  @Test
  void shadowSlotsAreCountedAndDenyNobody() {
    Policy shadow = Policy.of(rule, "shadow", Limit.inFlight(1, HOLD)).withMode(Mode.SHADOW);
    RateLimiter limiter = RateLimiter.forClaims(store);
    Decision first = limiter.decide(List.of(Claim.of(shadow, "key")));
    Decision second = limiter.decide(List.of(Claim.of(shadow, "key")));
    assertThat(second.allowed()).isTrue();
    assertThat(second.outcomes().get(0).allowed()).isFalse();
    limiter.release(second);
    assertThat(limiter.peek(List.of(Claim.of(shadow, "key"))).outcomes().get(0).remaining())
        .isZero();
    limiter.release(first);
    assertThat(limiter.peek(List.of(Claim.of(shadow, "key"))).outcomes().get(0).remaining())
        .isEqualTo(1);
  }

  @Test
  void aChangedNumberOfSlotsKeepsTheHolders() {
    Decision held = fiveAtOnce().decide("key", 3);
    RateLimiter fewer = limiter(Limit.inFlight(2, Duration.ofSeconds(10)));
    assertThat(fewer.peek("key").remaining()).isZero();
    assertThat(fewer.peek("key").resetAfter()).isEqualTo(HOLD);
    fewer.release(held);
    assertThat(fewer.peek("key").remaining()).isEqualTo(2);
  }

  @Test
  void resetFreesAllSlotsOfAKey() {
    RateLimiter limiter = fiveAtOnce();
    Decision held = limiter.decide("key", 5);
    limiter.reset("key");
    assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    assertThat(limiter.renew(held)).isFalse();
  }

  @Test
  void threadsThatReleaseNeverHoldMoreThanTheSlots() throws Exception {
    RateLimiter limiter = fiveAtOnce();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    AtomicInteger inside = new AtomicInteger();
    try {
      Callable<Integer> work =
          () -> {
            int most = 0;
            for (int i = 0; i < 50; i++) {
              Decision decision = limiter.decide("key");
              if (decision.allowed()) {
                most = Math.max(most, inside.incrementAndGet());
                inside.decrementAndGet();
                limiter.release(decision);
              }
            }
            return most;
          };
      for (Future<Integer> each :
          threads.invokeAll(Stream.generate(() -> work).limit(8).toList())) {
        assertThat(each.get()).isLessThanOrEqualTo(5);
      }
      assertThat(limiter.peek("key").remaining()).isEqualTo(5);
    } finally {
      threads.shutdownNow();
    }
  }
}
