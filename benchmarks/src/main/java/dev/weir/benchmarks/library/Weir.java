package dev.weir.benchmarks.library;

import dev.weir.Algorithm;
import dev.weir.RateLimiter;
import java.util.List;
import org.openjdk.jmh.infra.Blackhole;

/** Weir over its memory store: one limiter for all keys, which finds the key itself. */
public final class Weir implements Library {
  private final Algorithm algorithm;
  private final boolean wholeDecision;

  private Weir(Algorithm algorithm, boolean wholeDecision) {
    this.algorithm = algorithm;
    this.wholeDecision = wholeDecision;
  }

  /** Asks only whether the permit was taken. */
  public static Weir tryAcquire(Algorithm algorithm) {
    return new Weir(algorithm, false);
  }

  /** Asks for everything there is to know. */
  public static Weir decide(Algorithm algorithm) {
    return new Weir(algorithm, true);
  }

  @Override
  public Gate one(Supply supply) {
    return gate(RateLimiter.of(WeirLimits.of(algorithm, supply, false)));
  }

  @Override
  public Gate keyed(Supply supply, List<String> keys) {
    RateLimiter limiter = RateLimiter.of(WeirLimits.of(algorithm, supply, true));
    return gate(limiter);
  }

  @Override
  public String setting() {
    return wholeDecision
        ? "RateLimiter.decide, which answers a Decision; MemoryStore with its defaults"
        : "RateLimiter.tryAcquire; MemoryStore with its defaults; it finds the key itself";
  }

  private Gate gate(RateLimiter limiter) {
    return wholeDecision ? new Deciding(limiter) : limiter::tryAcquire;
  }

  private record Deciding(RateLimiter limiter) implements Gate {
    @Override
    public boolean tryAcquire(String key) {
      return limiter.decide(key).allowed();
    }

    @Override
    public void ask(String key, Blackhole hole) {
      hole.consume(limiter.decide(key));
    }
  }
}
