package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many questions to lease at once: the measured use of one period, but no more than this
 * instance's share of what is left. Shares follow the load: the own requests of all that instances
 * have reported. Pure functions.
 *
 * <p>A lease of a token bucket shrinks as the bucket refills. To last for a period, it has to hold
 * what the bucket refills in one; up to eight times the own use is taken for that.
 */
final class LeaseSize {
  /** A lease and a report of the own load are two calls for at least so many decisions. */
  static final int DECISIONS_PER_LEASE = 100;

  private static final double SHARE_IF_UNKNOWN = 0.25;
  private static final int MOST_TIMES_USE = 8;

  private LeaseSize() {}

  /**
   * What is known when a lease is requested.
   *
   * @param perSecond how often the claims are asked for here
   * @param ofAllPerSecond how often on all instances; 0 if not known
   * @param last the store's last answer; null if it has not been asked
   * @param ageMicros of that answer
   * @param isDenied whether the last answer was a denial
   */
  record Basis(
      double perSecond,
      double ofAllPerSecond,
      double periodSeconds,
      @Nullable List<Verdict> last,
      long ageMicros,
      boolean isDenied) {
    double share() {
      return ofAllPerSecond <= 0
          ? SHARE_IF_UNKNOWN
          : Math.min(1, perSecond / Math.max(perSecond, ofAllPerSecond));
    }
  }

  /** 1 or more. */
  static int times(List<Claim> claims, Basis basis) {
    double use = basis.perSecond * basis.periodSeconds;
    double wanted = use;
    double most = Integer.MAX_VALUE;
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Limit limit = claim.policy().limit();
      double refill = steadyRefill(limit, basis.periodSeconds) / claim.permits();
      wanted = Math.max(wanted, Math.min(refill, use * MOST_TIMES_USE));
      double left = left(limit, basis.last == null ? null : basis.last.get(i), basis);
      double share = Math.ceil(left * basis.share()) / claim.permits();
      most = Math.min(most, basis.isDenied ? share : Math.max(share, least(basis)));
    }
    return (int) Math.max(1, Math.min(most, Math.ceil(wanted)));
  }

  /** So that calls stay rare while the last permits are handed out. */
  private static double least(Basis basis) {
    return basis.share() * DECISIONS_PER_LEASE;
  }

  /** How long a lease of that many questions can be spent: a period at most. */
  static double seconds(List<Claim> claims, int times, double periodSeconds) {
    double shortest = periodSeconds;
    for (Claim claim : claims) {
      double refill = steadyRefill(claim.policy().limit(), 1);
      if (refill > 0) {
        shortest = Math.min(shortest, times * claim.permits() / refill);
      }
    }
    return shortest;
  }

  private static double left(Limit limit, @Nullable Verdict last, Basis basis) {
    if (last == null || basis.ageMicros >= last.resetAfterMicros()) {
      return limit.capacity();
    }
    double left = last.remaining() + refilledIn(limit, basis.ageMicros / 1e6);
    return Math.min(limit.capacity(), left);
  }

  /** Permits that have come back since: exactly those of a bucket, on average of a window. */
  private static double refilledIn(Limit limit, double seconds) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, SLIDING_WINDOW ->
          limit.permits() * seconds * 1e6 / Micros.of(limit.period());
      case FIXED_WINDOW, SLIDING_LOG, IN_FLIGHT -> 0;
    };
  }

  /** Permits that come back while leases are out, so that these shrink. */
  private static double steadyRefill(Limit limit, double seconds) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> refilledIn(limit, seconds);
      case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG, IN_FLIGHT -> 0;
    };
  }
}
