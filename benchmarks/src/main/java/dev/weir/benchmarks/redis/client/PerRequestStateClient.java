package dev.weir.benchmarks.redis.client;

import dev.weir.Decision;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.RequestId;
import dev.weir.benchmarks.redis.client.LimiterClient.PermitBudget;
import dev.weir.redis.RedisStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Weir where Redis keeps state per request: a slot until it is released, or a request id. */
public final class PerRequestStateClient implements LimiterClient {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration HOLD = Duration.ofSeconds(30);

  private final RedisStore store;
  private final RateLimiter limiter;
  private final boolean releases;
  private final AtomicLong ids = new AtomicLong(System.nanoTime());

  private PerRequestStateClient(String uri, String namespace, Limit limit, boolean releases) {
    this.store = RedisStore.builder(uri).namespace(namespace).timeout(TIMEOUT).build();
    Policy policy = Policy.of("rule", "limit", limit).onStoreFailure(FailurePolicy.ERROR);
    this.limiter = RateLimiter.builder().store(store).policy(policy).build();
    this.releases = releases;
  }

  /** Takes a slot of requests in flight and releases it. */
  public static PerRequestStateClient inFlight(String uri) {
    Limit limit = Limit.inFlight(Limit.RequestsInFlight.MAX_SLOTS, HOLD);
    return new PerRequestStateClient(uri, "bench-in-flight", limit, true);
  }

  /** Decides by a token bucket, each time with a request id that is new. */
  public static PerRequestStateClient requestIds(String uri, PermitBudget budget) {
    Limit limit = Limit.tokenBucket(budget.permits, budget.period);
    return new PerRequestStateClient(uri, "bench-request-ids", limit, false);
  }

  @Override
  public boolean tryAcquire(String key) {
    if (!releases) {
      return limiter.decide(key, 1, nextId()).allowed();
    }
    Decision decision = limiter.decide(key);
    limiter.release(decision);
    return decision.allowed();
  }

  @Override
  public CompletionStage<Boolean> ask(String key) {
    if (!releases) {
      return limiter.async().decide(key, 1, nextId()).thenApply(Decision::allowed);
    }
    return limiter
        .async()
        .decide(key)
        .thenCompose(
            decision ->
                limiter.async().release(decision).thenApply(released -> decision.allowed()));
  }

  private RequestId nextId() {
    return new RequestId(Long.toString(ids.incrementAndGet()), Duration.ofSeconds(10));
  }

  @Override
  public void close() {
    store.close();
  }
}
