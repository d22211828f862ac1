package dev.weir.examples;

import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.Optional;

/**
 * Fair use of a language model by what a request really costs, in tokens: the estimate is taken
 * before, and the difference charged or given back after, when the cost is known.
 */
final class FairUse {
  private final RateLimiter limiter;
  private final Model model;

  FairUse(LimitStore store, Model model) {
    this.model = model;
    this.limiter =
        RateLimiter.builder()
            .name("tokens")
            .limit("minute", Limit.tokenBucket(10_000, Duration.ofMinutes(1)))
            .store(store)
            .build();
  }

  /** Stands for the language model. */
  interface Model {
    Completion complete(String prompt);
  }

  /** What the model answered, and how many tokens that took. */
  record Completion(String text, long tokens) {}

  /**
   * @param estimate how many tokens the request is expected to cost
   * @return empty if the tenant has used up its share
   */
  Optional<Completion> complete(String tenant, String prompt, long estimate) {
    Decision decision = limiter.decide(tenant, estimate);
    if (!decision.allowed()) {
      return Optional.empty();
    }
    Completion completion = model.complete(prompt);
    if (completion.tokens() > estimate) {
      limiter.charge(tenant, completion.tokens() - estimate);
    } else if (completion.tokens() < estimate) {
      limiter.refund(tenant, estimate - completion.tokens());
    }
    return Optional.of(completion);
  }

  long remaining(String tenant) {
    return limiter.peek(tenant).remaining();
  }
}
