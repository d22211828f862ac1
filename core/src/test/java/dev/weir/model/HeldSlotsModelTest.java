package dev.weir.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Requests in flight against their definition: a list of holders, each with the time at which it
 * loses its slots. A process that crashes neither releases nor renews.
 */
final class HeldSlotsModelTest {
  private static final long SLOTS = 7;
  private static final long HOLD_MICROS = 1_000;

  private final Random random = new Random(Long.getLong("weir.seed", 1));
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final RateLimiter limiter =
      RateLimiter.builder()
          .name("model")
          .limit("slots", Limit.inFlight(SLOTS, Duration.ofNanos(1000 * HOLD_MICROS)))
          .store(store)
          .time(time)
          .build();
  private final List<Holder> holders = new ArrayList<>();

  private static final class Holder {
    final Decision decision;
    final long slots;
    long end;

    Holder(Decision decision, long slots, long end) {
      this.decision = decision;
      this.slots = slots;
      this.end = end;
    }
  }

  @Test
  void everyAnswerFollowsFromTheHoldersWhoAreLeft() {
    for (int step = 0; step < 200_000; step++) {
      time.advanceMicros(random.nextInt(4) == 0 ? random.nextInt(200) : 0);
      switch (random.nextInt(8)) {
        case 0, 1 -> release();
        case 2, 3 -> renew();
        case 4 -> crash();
        default -> take();
      }
      assertThat(limiter.peek("key").remaining()).isEqualTo(SLOTS - held(now()));
    }
  }

  @Test
  void nothingIsLeftOfAMillionRequestsOfWhichSomeCrash() {
    for (int pair = 0; pair < 1_000_000; pair++) {
      Decision decision = limiter.decide("key");
      time.advanceMicros(random.nextInt(100));
      if (decision.allowed() && random.nextInt(10) > 0) {
        limiter.release(decision);
      }
    }
    time.advanceMicros(HOLD_MICROS);
    assertThat(limiter.decide("key", SLOTS).allowed()).isTrue();
    time.advanceMicros(HOLD_MICROS);
    limiter.peek("key");
    assertThat(store.keys()).isZero();
  }

  private void take() {
    long slots = random.nextInt(5) == 0 ? SLOTS : 1 + random.nextInt(3);
    boolean fits = held(now()) + slots <= SLOTS;
    Decision decision = limiter.decide("key", slots);
    assertThat(decision.allowed()).isEqualTo(fits);
    if (fits) {
      holders.add(new Holder(decision, slots, now() + HOLD_MICROS));
    } else {
      long wait = decision.retryAfter().toNanos() / 1000;
      assertThat(held(now() + wait) + slots).isLessThanOrEqualTo(SLOTS);
      assertThat(held(now() + wait - 1) + slots).isGreaterThan(SLOTS);
    }
    long reset = decision.resetAfter().toNanos() / 1000;
    assertThat(held(now() + reset)).isZero();
    assertThat(held(now() + reset - 1)).isPositive();
  }

  private void release() {
    if (!holders.isEmpty()) {
      Holder holder = holders.get(random.nextInt(holders.size()));
      limiter.release(holder.decision);
      holder.end = Math.min(holder.end, now());
    }
  }

  private void renew() {
    if (!holders.isEmpty()) {
      Holder holder = holders.get(random.nextInt(holders.size()));
      boolean held = holder.end > now();
      assertThat(limiter.renew(holder.decision)).isEqualTo(held);
      holder.end = held ? now() + HOLD_MICROS : holder.end;
    }
  }

  private void crash() {
    if (holders.size() > 20) {
      holders.removeIf(holder -> holder.end <= now() && random.nextBoolean());
    }
  }

  private long held(long at) {
    return holders.stream().filter(holder -> holder.end > at).mapToLong(h -> h.slots).sum();
  }

  private long now() {
    return time.nowMicros();
  }
}
