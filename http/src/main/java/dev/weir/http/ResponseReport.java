package dev.weir.http;

import dev.weir.AsyncRateLimiter;
import dev.weir.Receipt;
import dev.weir.rules.RuleSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What an allowed request has taken, until it is known how the application responded. Takes one
 * report; safe for many threads.
 */
final class ResponseReport {
  private final AtomicBoolean done = new AtomicBoolean();
  private final RuleSet rules;
  private final Receipt receipt;
  private final AsyncRateLimiter limiter;

  ResponseReport(RuleSet rules, Receipt receipt, AsyncRateLimiter limiter) {
    this.rules = rules;
    this.receipt = receipt;
    this.limiter = limiter;
  }

  /** Gives back what the response does not count; completes always. */
  CompletionStage<Void> responded(int status) {
    Optional<Receipt> givenBack =
        end() ? rules.givenBack(receipt, status) : Optional.<Receipt>empty();
    return givenBack.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : limiter.refund(givenBack.get()).exceptionally(failed -> null); // then it counts
  }

  /** Takes no more reports; false if it took none already. */
  boolean end() {
    return done.compareAndSet(false, true);
  }
}
