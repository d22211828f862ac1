package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many questions to lease at once: the expected use of one life, but no more than this
 * instance's share of what is left. The share is its part of the requests that all instances have
 * reported. Pure functions.
 */
final class LeaseSize {
  /** How many decisions a lease, and the report of requests sent with it, should serve. */
  static final int DECISIONS_PER_LEASE = 100;

  /** The part of the expected use to lease: requests come unevenly, and more would end unspent. */
  private static final double PART_OF_USE = 0.9;

  /** The same while much is out: small leases fit into what may still be leased. */
  private static final double PART_IF_MUCH_IS_OUT = 0.6;

  private static final double SHARE_IF_UNKNOWN = 0.25;

  private LeaseSize() {}

  /**
   * What is known when a lease is requested.
   *
   * @param perSecond requests per second on this instance
   * @param ofAllPerSecond requests per second on all instances; 0 if not known
   * @param lifeSeconds how long a lease can be spent
   * @param held questions that leased permits will serve before they end
   * @param last the store's last answer; null if there is none
   * @param ageMicros the age of that answer
   * @param isDenied whether the last answer was a denial
   * @param isMuchOut whether all instances together have leased almost as much as they may
   */
  record Basis(
      double perSecond,
      double ofAllPerSecond,
      double lifeSeconds,
      double held,
      @Nullable List<Verdict> last,
      long ageMicros,
      boolean isDenied,
      boolean isMuchOut) {
    double share() {
      return ofAllPerSecond <= 0
          ? SHARE_IF_UNKNOWN
          : Math.min(1, perSecond / Math.max(perSecond, ofAllPerSecond));
    }
  }

  /** How often to ask the question in one lease: 1 or more. */
  static int times(List<Claim> claims, Basis basis) {
    return (int) Math.max(1, Math.min(most(claims, basis), Math.ceil(wanted(basis))));
  }

  /** Whether this instance would take more if its share were larger. */
  static boolean isShareSmall(List<Claim> claims, Basis basis) {
    return most(claims, basis) < wanted(basis);
  }

  private static double wanted(Basis basis) {
    double part = basis.isMuchOut ? PART_IF_MUCH_IS_OUT : PART_OF_USE;
    double use = basis.perSecond * basis.lifeSeconds * part;
    return basis.isDenied ? use : use - basis.held; // more would end unspent
  }

  private static double most(List<Claim> claims, Basis basis) {
    double most = Integer.MAX_VALUE;
    for (int i = 0; i < claims.size(); i++) {
      Claim claim = claims.get(i);
      Limit limit = claim.policy().limit();
      double left = left(limit, basis.last == null ? null : basis.last.get(i), basis);
      double share = Math.ceil(left * basis.share()) / claim.permits();
      most = Math.min(most, basis.isDenied ? share : Math.max(share, least(basis)));
    }
    return most;
  }

  /** A lower bound, which keeps calls rare while the last permits are handed out. */
  private static double least(Basis basis) {
    return basis.share() * DECISIONS_PER_LEASE;
  }

  private static double left(Limit limit, @Nullable Verdict last, Basis basis) {
    if (last == null || basis.ageMicros >= last.resetAfterMicros()) {
      return limit.capacity();
    }
    double left = last.remaining() + refilledIn(limit, basis.ageMicros / 1e6);
    return Math.min(limit.capacity(), left);
  }

  /** Permits that came back in this time: exact for a bucket, an average for a sliding window. */
  private static double refilledIn(Limit limit, double seconds) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET, SLIDING_WINDOW ->
          limit.permits() * seconds * 1e6 / Micros.of(limit.period());
      case FIXED_WINDOW, SLIDING_LOG, IN_FLIGHT -> 0;
    };
  }
}
