package dev.weir.benchmarks.inprocess;

import dev.failsafe.RateLimiter;
import dev.weir.benchmarks.inprocess.LimiterLibrary.MeasuredLimiter;
import dev.weir.benchmarks.inprocess.LimiterLibrary.PermitSupply;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.local.SynchronizationStrategy;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The limiters of other libraries, each at its best setting. */
final class PeerLibraries {
  private PeerLibraries() {}

  /** Resilience4j's lock-free limiter. */
  public static final class Resilience4j implements LimiterLibrary {
    @Override
    public MeasuredLimiter one(PermitSupply supply) {
      io.github.resilience4j.ratelimiter.RateLimiter limiter =
          new AtomicRateLimiter("one", config(supply));
      return key -> limiter.acquirePermission();
    }

    @Override
    public MeasuredLimiter keyed(PermitSupply supply, List<String> keys) {
      RateLimiterConfig config = config(supply);
      Map<String, io.github.resilience4j.ratelimiter.RateLimiter> byKey =
          LimiterLibrary.map(keys, key -> new AtomicRateLimiter(key, config));
      return key -> byKey.get(key).acquirePermission();
    }

    @Override
    public String setting() {
      return "AtomicRateLimiter.acquirePermission; timeout 0, one configuration for all keys";
    }

    private static RateLimiterConfig config(PermitSupply supply) {
      return RateLimiterConfig.custom()
          .limitForPeriod(supply == PermitSupply.AMPLE ? Integer.MAX_VALUE : 1)
          .limitRefreshPeriod(Duration.ofDays(1))
          .timeoutDuration(Duration.ZERO)
          .build();
    }
  }

  /** Guava's limiter, whose burst is one second of its rate. */
  public static final class Guava implements LimiterLibrary {
    private static final double AMPLE_PER_SECOND = 1e9;
    private static final double ONE_PER_DAY = 1.0 / 86_400;

    @Override
    public MeasuredLimiter one(PermitSupply supply) {
      com.google.common.util.concurrent.RateLimiter limiter = limiter(supply);
      return key -> limiter.tryAcquire();
    }

    @Override
    public MeasuredLimiter keyed(PermitSupply supply, List<String> keys) {
      Map<String, com.google.common.util.concurrent.RateLimiter> byKey =
          LimiterLibrary.map(keys, key -> limiter(supply));
      return key -> byKey.get(key).tryAcquire();
    }

    @Override
    public String setting() {
      return "RateLimiter.tryAcquire without waiting; smooth bursty";
    }

    private static com.google.common.util.concurrent.RateLimiter limiter(PermitSupply supply) {
      return com.google.common.util.concurrent.RateLimiter.create(
          supply == PermitSupply.AMPLE ? AMPLE_PER_SECOND : ONE_PER_DAY);
    }
  }

  /** Bucket4j's local bucket. */
  public static final class Bucket4j implements LimiterLibrary {
    private static final Duration DAY = Duration.ofDays(1);
    private static final long AMPLE = 1_000_000_000_000L;
    private static final long AMPLE_REFILL = 1_000_000_000L;

    @Override
    public MeasuredLimiter one(PermitSupply supply) {
      Bucket bucket = bucket(supply);
      return key -> bucket.tryConsume(1);
    }

    @Override
    public MeasuredLimiter keyed(PermitSupply supply, List<String> keys) {
      Map<String, Bucket> byKey = LimiterLibrary.map(keys, key -> bucket(supply));
      return key -> byKey.get(key).tryConsume(1);
    }

    @Override
    public String setting() {
      return "Bucket.tryConsume; lock-free, greedy refill, the clock in milliseconds (its default)";
    }

    private static Bucket bucket(PermitSupply supply) {
      long capacity = supply == PermitSupply.AMPLE ? AMPLE : 1;
      long refill = supply == PermitSupply.AMPLE ? AMPLE_REFILL : 1;
      return Bucket.builder()
          .addLimit(limit -> limit.capacity(capacity).refillGreedy(refill, DAY))
          .withSynchronizationStrategy(SynchronizationStrategy.LOCK_FREE)
          .build();
    }
  }

  /** Failsafe's two limiters: whole bursts per period, or evenly spaced. */
  public static final class Failsafe implements LimiterLibrary {
    private static final Duration DAY = Duration.ofDays(1);

    private final String setting;
    private final Function<PermitSupply, RateLimiter<Object>> make;

    private Failsafe(String setting, Function<PermitSupply, RateLimiter<Object>> make) {
      this.setting = setting;
      this.make = make;
    }

    public static Failsafe bursty() {
      return new Failsafe(
          "RateLimiter.tryAcquirePermit; bursty",
          supply ->
              RateLimiter.burstyBuilder(supply == PermitSupply.AMPLE ? 1_000_000_000_000L : 1, DAY)
                  .build());
    }

    public static Failsafe smooth() {
      return new Failsafe(
          "RateLimiter.tryAcquirePermit; smooth",
          supply ->
              RateLimiter.smoothBuilder(supply == PermitSupply.AMPLE ? Duration.ofNanos(1) : DAY)
                  .build());
    }

    @Override
    public MeasuredLimiter one(PermitSupply supply) {
      RateLimiter<Object> limiter = make.apply(supply);
      return key -> limiter.tryAcquirePermit();
    }

    @Override
    public MeasuredLimiter keyed(PermitSupply supply, List<String> keys) {
      Map<String, RateLimiter<Object>> byKey = LimiterLibrary.map(keys, key -> make.apply(supply));
      return key -> byKey.get(key).tryAcquirePermit();
    }

    @Override
    public String setting() {
      return setting;
    }
  }
}
