package dev.weir.http;

import dev.weir.Claim;
import dev.weir.Decision;
import dev.weir.Policy;
import dev.weir.RateLimiter;
import dev.weir.Receipt;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Question;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Decisions with numbers of the test's choice: a store that answers as it was told. */
final class Answered implements LimitStore {
  private final List<Claim> claims = new ArrayList<>();
  private final List<Verdict> verdicts = new ArrayList<>();

  static Answered with() {
    return new Answered();
  }

  Answered fits(Policy policy, long remaining, Duration resetAfter) {
    return verdict(policy, new Verdict(0, true, remaining, 0, micros(resetAfter)));
  }

  Answered denied(Policy policy, long remaining, Duration retryAfter, Duration resetAfter) {
    long retry = retryAfter.equals(Decision.NEVER) ? Verdict.NEVER : micros(retryAfter);
    return verdict(policy, new Verdict(0, false, remaining, retry, micros(resetAfter)));
  }

  Answered failed(Policy policy) {
    return verdict(policy, Verdict.failed(new StoreUnavailableException("down")));
  }

  Decision decision() {
    try (RateLimiter limiter =
        RateLimiter.builder().policy(claims.get(0).policy()).store(this).build()) {
      return limiter.decide(claims);
    }
  }

  @Override
  public CompletionStage<Verdicts> decide(Question question) {
    boolean allowed = true;
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i);
      allowed &= verdict.fits() || verdict.isFailure() || !claims.get(i).policy().enforced();
    }
    return CompletableFuture.completedFuture(new Verdicts(allowed, verdicts));
  }

  @Override
  public CompletionStage<Verdicts> refund(Receipt receipt) {
    return CompletableFuture.completedFuture(new Verdicts(true, List.of()));
  }

  @Override
  public CompletionStage<Void> reset(List<Claim> claims) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {}

  /** Each claim has a key of its own, so that none are merged. */
  private Answered verdict(Policy policy, Verdict verdict) {
    claims.add(Claim.of(policy, "key-" + claims.size()));
    verdicts.add(verdict);
    return this;
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
