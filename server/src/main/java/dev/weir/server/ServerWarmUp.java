package dev.weir.server;

import dev.weir.AsyncRateLimiter;
import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.GuardedStore;
import dev.weir.Limit;
import dev.weir.MemoryStore;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.http.DecisionJson;
import dev.weir.http.RateLimitFields;
import dev.weir.spi.ForwardingLimitStore;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Makes decisions before the first client does. In a fresh JVM the first decisions take longer than
 * the deadline, so a new instance would answer by failure policy; and the first outage would be
 * answered late, because its classes are not loaded. It takes no permits, and its time is bounded.
 */
final class ServerWarmUp {
  private static final Duration LONGEST = Duration.ofMillis(400);
  private static final int ROUNDS = 40;
  private static final int AT_ONCE = 10;
  private static final int FAILURES = 5;
  private static final String NAME = "weir-warm-up";
  private static final RateLimitFields FIELDS = RateLimitFields.standard();

  private ServerWarmUp() {}

  /**
   * @param bare the store without guards, used first, because late answers must not open a breaker
   */
  static void run(LimitStore bare, LimitStore guarded) {
    decide(RateLimiter.forClaims(bare).async(), AT_ONCE);
    decide(RateLimiter.forClaims(guarded).async(), 1);
    GuardedStore.warmUp();
    fail(RateLimiter.forClaims(new UnavailableStore()).async());
  }

  /** Ends early if the store does not answer. */
  private static void decide(AsyncRateLimiter limiter, int atOnce) {
    long endNanos = System.nanoTime() + LONGEST.toNanos();
    List<Claim> claims = claims(FailurePolicy.ALLOW);
    for (int i = 0; i < ROUNDS && System.nanoTime() < endNanos; i++) {
      List<CompletableFuture<Decision>> asked =
          IntStream.range(0, Math.min(i + 1, atOnce))
              .mapToObj(each -> limiter.decide(claims).toCompletableFuture())
              .toList();
      if (asked.stream().allMatch(answer -> write(answer.join()) == Source.FALLBACK)) {
        return;
      }
    }
  }

  private static void fail(AsyncRateLimiter limiter) {
    for (int i = 0; i < FAILURES; i++) {
      for (FailurePolicy policy : List.of(FailurePolicy.ALLOW, FailurePolicy.DENY)) {
        write(limiter.decide(claims(policy)).toCompletableFuture().join());
      }
    }
  }

  private static Source write(Decision decision) {
    StringBuilder out = new StringBuilder();
    FIELDS.of(decision);
    if (decision.allowed()) {
      DecisionJson.write(decision, out);
    } else {
      DecisionJson.writeDenial(decision, out);
    }
    return decision.source();
  }

  /** One claim of 0 permits, which takes nothing, for each kind of state. */
  private static List<Claim> claims(FailurePolicy policy) {
    Duration minute = Duration.ofMinutes(1);
    return List.of(
        claim("bucket", Limit.tokenBucket(10, minute), policy),
        claim("fixed", Limit.fixedWindow(10, minute), policy),
        claim("sliding", Limit.slidingWindow(10, minute), policy));
  }

  private static Claim claim(String name, Limit limit, FailurePolicy policy) {
    return new Claim(Policy.of(NAME, name, limit).onStoreFailure(policy), NAME, 0);
  }

  /** Fails every decision. */
  private static final class UnavailableStore extends ForwardingLimitStore {
    UnavailableStore() {
      super(MemoryStore.create());
    }

    @Override
    public CompletionStage<Verdicts> decide(Question question) {
      return CompletableFuture.failedFuture(new StoreUnavailableException("warm-up"));
    }
  }
}
