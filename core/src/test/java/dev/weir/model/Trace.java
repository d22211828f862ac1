package dev.weir.model;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryStore;
import dev.weir.RateLimiter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** One key's random life under one limit, lived by the limiter and by the model. */
final class Trace implements AutoCloseable {
  private static final String KEY = "key";

  private final Random random;
  private final ManualTime time = new ManualTime();
  private final MemoryStore store = MemoryStore.builder().time(time).build();
  private final RateLimiter limiter;
  private final Limit limit;
  private Model model;
  private final long capacity;
  private final long periodMicros;
  private final List<Grant> grants = new ArrayList<>();
  private long decisions;

  private record Grant(Decision decision, long permits, long at) {}

  Trace(Limit limit, Random random) {
    this.random = random;
    this.limit = limit;
    limiter =
        RateLimiter.builder().name("limiter").limit("limit", limit).store(store).time(time).build();
    model = Model.of(limit);
    capacity = limit.capacity();
    periodMicros = limit.period().toNanos() / 1000;
    time.advanceMicros(random.nextLong(1_500_000_000_000_000L));
  }

  long decisions() {
    return decisions;
  }

  void steps(int count) {
    for (int step = 0; step < count; step++) {
      time.advanceMicros(pause());
      step();
      if (!model.fresh(now())) {
        require(store.keys() == 1, "a key in use is kept", now());
      }
    }
  }

  @Override
  public void close() {
    store.close();
  }

  private void step() {
    long permits = permits();
    switch (random.nextInt(12)) {
      case 0 -> peek(permits);
      case 1 -> charge(permits);
      case 2 -> refund(permits);
      case 3 -> refundGrant();
      case 4 -> tryAcquire(permits);
      case 5 -> resetNowAndThen();
      case 6 -> waitAsTold(permits);
      default -> decide(permits);
    }
  }

  private Decision decide(long permits) {
    boolean fits = model.fits(now(), permits);
    Decision decision = limiter.decide(KEY, permits);
    require(decision.allowed() == fits, "decide %d", permits);
    if (fits && permits > 0) {
      model.take(now(), permits);
      grants.add(new Grant(decision, permits, now()));
    }
    check(decision, permits);
    return decision;
  }

  private void tryAcquire(long permits) {
    boolean fits = model.fits(now(), permits);
    require(limiter.tryAcquire(KEY, permits) == fits, "tryAcquire %d", permits);
    if (fits && permits > 0) {
      model.take(now(), permits);
    }
    check(limiter.peek(KEY, permits), permits);
  }

  private void peek(long permits) {
    Decision decision = limiter.peek(KEY, permits);
    require(decision.allowed() == model.fits(now(), permits), "peek %d", permits);
    check(decision, permits);
  }

  private void charge(long permits) {
    Decision decision = limiter.charge(KEY, permits);
    if (permits > 0) {
      model.charge(now(), permits, true);
    }
    require(decision.allowed(), "charge %d", permits);
    check(decision, permits);
  }

  private void refund(long permits) {
    limiter.refund(KEY, permits);
    model.refund(now(), permits);
    peek(1);
  }

  private void refundGrant() {
    if (grants.isEmpty()) {
      return;
    }
    boolean latest = random.nextBoolean();
    Grant grant = grants.remove(latest ? grants.size() - 1 : random.nextInt(grants.size()));
    limiter.refund(grant.decision);
    model.refundGrant(now(), grant.permits, grant.at);
    peek(1);
  }

  private void resetNowAndThen() {
    if (random.nextInt(4) == 0) {
      limiter.reset(KEY);
      model = Model.of(limit);
      require(store.keys() == 0, "%d keys after reset", store.keys());
      peek(1);
    }
  }

  private void waitAsTold(long permits) {
    Decision denied = decide(permits);
    if (denied.allowed() || denied.retryAfter().equals(Decision.NEVER)) {
      return;
    }
    time.advanceMicros(micros(denied.retryAfter()) - 1);
    require(!decide(permits).allowed(), "%d denied 1 us before retryAfter", permits);
    time.advanceMicros(1);
    require(decide(permits).allowed(), "%d admitted after retryAfter", permits);
  }

  /** The answers besides allowed, from the state after the question. */
  private void check(Decision decision, long permits) {
    decisions++;
    checkRemaining(decision.remaining());
    checkRetryAfter(decision, permits);
    checkResetAfter(micros(decision.resetAfter()));
  }

  private void checkRemaining(long remaining) {
    long at = now();
    require(remaining >= 0 && remaining <= capacity, "remaining %d", remaining);
    if (remaining > 0) {
      require(model.fits(at, remaining), "%d remain", remaining);
    }
    if (remaining < capacity) {
      require(!model.fits(at, remaining + 1), "only %d remain", remaining);
    }
  }

  private void checkRetryAfter(Decision decision, long permits) {
    if (decision.allowed()) {
      require(decision.retryAfter().isZero(), "no wait for %d", permits);
    } else if (permits > capacity) {
      require(decision.retryAfter().equals(Decision.NEVER), "never %d", permits);
    } else {
      long wait = micros(decision.retryAfter());
      require(wait > 0, "retryAfter %d", wait);
      require(model.fits(now() + wait, permits), "fits after %d", wait);
      require(!model.fits(now() + wait - 1, permits), "not before %d", wait);
    }
  }

  private void checkResetAfter(long wait) {
    require(model.fresh(now() + wait), "fresh after %d", wait);
    if (wait > 0) {
      require(!model.fresh(now() + wait - 1), "not fresh before %d", wait);
    }
  }

  private long permits() {
    return switch (random.nextInt(10)) {
      case 0 -> 0;
      case 1 -> capacity + 1 + random.nextInt(3);
      case 2 -> random.nextInt(20) == 0 ? Long.MAX_VALUE : 2 * capacity;
      case 3 -> capacity;
      case 4, 5 -> 1 + random.nextLong(capacity);
      case 6 -> 1 + capacity / 3;
      default -> 1;
    };
  }

  private long pause() {
    return switch (random.nextInt(10)) {
      case 0 -> 1;
      case 1 -> random.nextLong(1 + periodMicros);
      case 2 -> random.nextLong(1 + periodMicros / 8);
      case 3 -> aroundEdge();
      case 4 -> random.nextInt(3) == 0 ? 3 * periodMicros + random.nextLong(periodMicros) : 0;
      case 5 -> 1 + periodMicros / capacity;
      default -> 0;
    };
  }

  private long aroundEdge() {
    long toEdge = periodMicros - now() % periodMicros;
    return Math.max(0, toEdge - 1 + random.nextInt(3));
  }

  /** Unlike an assertion library it costs nothing while it holds. */
  private void require(boolean holds, String fact, long number) {
    if (!holds) {
      throw new AssertionError("at " + now() + " us not so: " + fact.replace("%d", "" + number));
    }
  }

  private long now() {
    return time.nowMicros();
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
