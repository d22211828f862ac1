package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/** Asks again and again until permits are there, and sleeps in between. */
final class PermitWait {
  private PermitWait() {}

  /** Gives up at once, with a denial, when the wait cannot succeed. */
  static Decision until(Supplier<Decision> ask, TimeSource time, Duration maxWait)
      throws InterruptedException {
    Check.notNegative("maxWait", maxWait);
    long start = time.nowMicros();
    while (true) {
      Decision decision = ask.get();
      long left = Micros.of(maxWait) - (time.nowMicros() - start);
      Duration wait = AsyncRateLimiter.nextTry(decision, left);
      if (decision.allowed() || AsyncRateLimiter.isHopeless(wait, left)) {
        return decision;
      }
      sleep(time, wait);
    }
  }

  private static void sleep(TimeSource time, Duration wait) throws InterruptedException {
    CompletableFuture<Void> woken = time.after(wait).toCompletableFuture();
    try {
      woken.get();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("a clock failed", impossible.getCause());
    } finally {
      woken.cancel(false); // so that an interrupted thread leaves no timer behind
    }
  }
}
