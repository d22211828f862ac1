package dev.weir.benchmarks.inprocess;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.RateLimiter;
import dev.weir.benchmarks.inprocess.LimiterLibrary.MeasuredLimiter;
import dev.weir.benchmarks.inprocess.LimiterLibrary.PermitSupply;
import java.time.Duration;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;

/** Weir over its memory store: one limiter for all keys, which finds the key itself. */
public final class WeirLibrary implements LimiterLibrary {
  private final Algorithm algorithm;
  private final boolean wholeDecision;

  private WeirLibrary(Algorithm algorithm, boolean wholeDecision) {
    this.algorithm = algorithm;
    this.wholeDecision = wholeDecision;
  }

  /** Measures {@code tryAcquire}. */
  public static WeirLibrary tryAcquire(Algorithm algorithm) {
    return new WeirLibrary(algorithm, false);
  }

  /** Measures {@code decide}. */
  public static WeirLibrary decide(Algorithm algorithm) {
    return new WeirLibrary(algorithm, true);
  }

  @Override
  public MeasuredLimiter one(PermitSupply supply) {
    return gate(RateLimiter.of(MeasuredLimits.of(algorithm, supply, false)));
  }

  @Override
  public MeasuredLimiter keyed(PermitSupply supply, List<String> keys) {
    RateLimiter limiter = RateLimiter.of(MeasuredLimits.of(algorithm, supply, true));
    return gate(limiter);
  }

  @Override
  public String setting() {
    return wholeDecision
        ? "RateLimiter.decide, which answers a Decision; MemoryStore with its defaults"
        : "RateLimiter.tryAcquire; MemoryStore with its defaults; it finds the key itself";
  }

  private MeasuredLimiter gate(RateLimiter limiter) {
    return wholeDecision ? new Deciding(limiter) : limiter::tryAcquire;
  }

  private record Deciding(RateLimiter limiter) implements MeasuredLimiter {
    @Override
    public boolean tryAcquire(String key) {
      return limiter.decide(key).allowed();
    }

    @Override
    public void ask(String key, Blackhole hole) {
      hole.consume(limiter.decide(key));
    }
  }

  /** The limits that Weir is measured with. */
  static final class MeasuredLimits {
    private static final Duration DAY = Duration.ofDays(1);
    private static final long AMPLE = 1_000_000_000_000L;

    /** Slower than any contender uses permits, so that a key stays in use and is not forgotten. */
    private static final long AMPLE_REFILL = 1_000_000_000L;

    /** A log of all admissions of a day would not fit: one key keeps a thousand entries instead. */
    private static final Duration LOG_OF_ONE_KEY = Duration.ofMillis(1);

    private static final Duration LOG_OF_MANY_KEYS = Duration.ofSeconds(1);

    private MeasuredLimits() {}

    static Limit of(Algorithm algorithm, PermitSupply supply, boolean manyKeys) {
      return switch (supply) {
        case AMPLE -> ample(algorithm, manyKeys);
        case SINGLE -> single(algorithm);
      };
    }

    private static Limit ample(Algorithm algorithm, boolean manyKeys) {
      return switch (algorithm) {
        case TOKEN_BUCKET -> Limit.tokenBucket(AMPLE_REFILL, DAY).withBurst(AMPLE);
        case FIXED_WINDOW -> Limit.fixedWindow(AMPLE, DAY);
        case SLIDING_WINDOW -> Limit.slidingWindow(AMPLE, DAY);
        case SLIDING_LOG -> Limit.slidingLog(AMPLE, manyKeys ? LOG_OF_MANY_KEYS : LOG_OF_ONE_KEY);
        case IN_FLIGHT -> throw new IllegalArgumentException("measured over Redis only");
      };
    }

    private static Limit single(Algorithm algorithm) {
      return switch (algorithm) {
        case TOKEN_BUCKET -> Limit.tokenBucket(1, DAY);
        case FIXED_WINDOW -> Limit.fixedWindow(1, DAY);
        case SLIDING_WINDOW -> Limit.slidingWindow(1, DAY);
        case SLIDING_LOG -> Limit.slidingLog(1, DAY);
        case IN_FLIGHT -> throw new IllegalArgumentException("measured over Redis only");
      };
    }
  }
}
