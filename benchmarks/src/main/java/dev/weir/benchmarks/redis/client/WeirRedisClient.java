package dev.weir.benchmarks.redis.client;

import dev.weir.Algorithm;
import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.redis.RedisStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Weir: limits in a {@link RedisStore}, token buckets as a rule, by the server's clock. */
public final class WeirRedisClient implements LimiterClient {
  /** The usual 200 ms would count a pause of a shared machine as a failure. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final RedisStore store;
  private final List<RateLimiter> limiters = new ArrayList<>();

  /**
   * @param limits in each decision
   * @param calls decisions asked for one after the other, where others would have several limits
   */
  public WeirRedisClient(String uri, PermitBudget budget, int limits, int calls) {
    this(uri, budget, limits, calls, Algorithm.TOKEN_BUCKET);
  }

  public WeirRedisClient(String uri, PermitBudget budget, Algorithm algorithm) {
    this(uri, budget, 1, 1, algorithm);
  }

  private WeirRedisClient(
      String uri, PermitBudget budget, int limits, int calls, Algorithm algorithm) {
    String namespace = "bench-" + budget + "-" + limits + "-" + calls + "-" + algorithm;
    store = RedisStore.builder(uri).namespace(namespace).timeout(TIMEOUT).build();
    for (int call = 1; call <= calls; call++) {
      limiters.add(limiter("rule-" + call, budget, limits, algorithm));
    }
  }

  private RateLimiter limiter(String rule, PermitBudget budget, int limits, Algorithm algorithm) {
    RateLimiter.Builder builder = RateLimiter.builder().store(store);
    for (int i = 1; i <= limits; i++) {
      Limit limit = limit(algorithm, i * budget.permits, budget.period.multipliedBy(i));
      // A store that fails must end the run: an answer by policy is not a decision.
      builder.policy(Policy.of(rule, "limit-" + i, limit).onStoreFailure(FailurePolicy.ERROR));
    }
    return builder.build();
  }

  private static Limit limit(Algorithm algorithm, long permits, Duration period) {
    return switch (algorithm) {
      case TOKEN_BUCKET -> Limit.tokenBucket(permits, period);
      case FIXED_WINDOW -> Limit.fixedWindow(permits, period);
      case SLIDING_WINDOW -> Limit.slidingWindow(permits, period);
      case SLIDING_LOG -> Limit.slidingLog(permits, period);
      case IN_FLIGHT -> Limit.inFlight(Math.min(permits, Limit.RequestsInFlight.MAX_SLOTS), period);
    };
  }

  @Override
  public boolean tryAcquire(String key) {
    boolean allowed = true;
    for (RateLimiter limiter : limiters) {
      allowed &= limiter.tryAcquire(key);
    }
    return allowed;
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
    if (limiters.size() == 1) {
      return limiters.get(0).async().decide(key).thenApply(Decision::allowed);
    }
    for (RateLimiter limiter : limiters) {
      all =
          all.thenCompose(
              before ->
                  limiter.async().decide(key).thenApply(answer -> before && answer.allowed()));
    }
    return all;
  }

  @Override
  public void close() {
    store.close();
  }
}
