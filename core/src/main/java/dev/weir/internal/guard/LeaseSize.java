package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many questions to lease at once: the measured use of one period, but at most a quarter of
 * what is left in the store, so that other instances find some. Pure functions.
 *
 * <p>A lease of a token bucket shrinks as the bucket refills. To last for a period, it has to hold
 * what the bucket refills in one; up to eight times the own use is taken for that.
 */
final class LeaseSize {
  /** At most one call for so many decisions, if so many permits are there. */
  static final int DECISIONS_PER_CALL = 50;

  private static final int SHARE = 4;
  private static final int MOST_TIMES_USE = 8;

  private LeaseSize() {}

  /**
   * @param perSecond how often the claims are asked for
   * @param last the store's last answer; null if it has not been asked
   * @param ageMicros of that answer
   * @param takesAll whether to take all there is: what comes back while the limit is reached
   * @return 1 or more
   */
  static int times(
      List<Claim> claims,
      double perSecond,
      double periodSeconds,
      @Nullable List<Verdict> last,
      long ageMicros,
      boolean takesAll) {
    double use = perSecond * periodSeconds;
    double wanted = use;
    double most = Integer.MAX_VALUE;
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      double refill = refilledIn(claim.policy().limit(), periodSeconds) / claim.permits();
      wanted = Math.max(wanted, Math.min(refill, use * MOST_TIMES_USE));
      double left = left(claim, last == null ? null : last.get(i), ageMicros) / claim.permits();
      most = Math.min(most, Math.max(left / SHARE, DECISIONS_PER_CALL));
      most = takesAll ? Integer.MAX_VALUE : most;
    }
    return (int) Math.max(1, Math.min(most, Math.ceil(wanted)));
  }

  /** How long a lease of that many questions can be spent: a period at most. */
  static double seconds(List<Claim> claims, int times, double periodSeconds) {
    double shortest = periodSeconds;
    for (Claim claim : claims) {
      double refill = refilledIn(claim.policy().limit(), 1);
      if (refill > 0) {
        shortest = Math.min(shortest, times * claim.permits() / refill);
      }
    }
    return shortest;
  }

  private static double left(Claim claim, @Nullable Verdict last, long ageMicros) {
    Limit limit = claim.policy().limit();
    if (last == null || ageMicros >= last.resetAfterMicros()) {
      return limit.capacity();
    }
    double left = last.remaining() + refilledIn(limit, ageMicros / 1e6);
    return Math.min(limit.capacity(), left);
  }

  /** Permits that come back steadily: those of a token bucket. */
  private static double refilledIn(Limit limit, double seconds) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> limit.permits() * seconds * 1e6 / Micros.of(limit.period());
      case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> 0;
    };
  }
}
