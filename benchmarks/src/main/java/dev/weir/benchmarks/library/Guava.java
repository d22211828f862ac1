package dev.weir.benchmarks.library;

import com.google.common.util.concurrent.RateLimiter;
import java.util.List;
import java.util.Map;

/** Guava's limiter, whose burst is one second of its rate. */
public final class Guava implements Library {
  private static final double AMPLE_PER_SECOND = 1e9;
  private static final double ONE_PER_DAY = 1.0 / 86_400;

  @Override
  public Gate one(Supply supply) {
    RateLimiter limiter = limiter(supply);
    return key -> limiter.tryAcquire();
  }

  @Override
  public Gate keyed(Supply supply, List<String> keys) {
    Map<String, RateLimiter> byKey = Library.map(keys, key -> limiter(supply));
    return key -> byKey.get(key).tryAcquire();
  }

  @Override
  public String setting() {
    return "RateLimiter.tryAcquire without waiting; smooth bursty";
  }

  private static RateLimiter limiter(Supply supply) {
    return RateLimiter.create(supply == Supply.AMPLE ? AMPLE_PER_SECOND : ONE_PER_DAY);
  }
}
