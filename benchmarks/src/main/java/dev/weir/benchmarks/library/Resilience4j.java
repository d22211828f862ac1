package dev.weir.benchmarks.library;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Resilience4j's lock-free limiter. */
public final class Resilience4j implements Library {
  @Override
  public Gate one(Supply supply) {
    RateLimiter limiter = new AtomicRateLimiter("one", config(supply));
    return key -> limiter.acquirePermission();
  }

  @Override
  public Gate keyed(Supply supply, List<String> keys) {
    RateLimiterConfig config = config(supply);
    Map<String, RateLimiter> byKey = Library.map(keys, key -> new AtomicRateLimiter(key, config));
    return key -> byKey.get(key).acquirePermission();
  }

  @Override
  public String setting() {
    return "AtomicRateLimiter.acquirePermission; timeout 0, one configuration for all keys";
  }

  private static RateLimiterConfig config(Supply supply) {
    return RateLimiterConfig.custom()
        .limitForPeriod(supply == Supply.AMPLE ? Integer.MAX_VALUE : 1)
        .limitRefreshPeriod(Duration.ofDays(1))
        .timeoutDuration(Duration.ZERO)
        .build();
  }
}
