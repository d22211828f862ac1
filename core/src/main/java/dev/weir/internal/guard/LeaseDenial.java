package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.Source;
import dev.weir.internal.arithmetic.LeasePool;
import dev.weir.spi.Verdict;
import dev.weir.spi.Verdicts;
import java.util.ArrayList;
import java.util.List;

/**
 * A denial of the store that is repeated until the store is asked again. Immutable.
 *
 * @param claims the claims that were denied
 * @param verdicts those of the denial; or, after a denial, those of a grant that left little
 * @param askAgainNanos when the store is asked again. Permits may come back earlier; waiting until
 *     more are back keeps calls rare while the limit is reached
 */
record LeaseDenial(List<Claim> claims, List<Verdict> verdicts, long sentNanos, long askAgainNanos) {
  private static final double ROUND_TRIPS_PER_CALL = 100;

  /** The longest pause of a busy key, as a part of the life of a lease. */
  private static final double LONGEST_PAUSE = 1 / 4.0;

  /**
   * How long to wait until the store is asked again. While the limit is reached, an instance asks
   * about once per hundred requests and takes its share of what has come back. A slow store is
   * asked more rarely, but before so much has come back that it cannot be leased at once. Times are
   * random, so that instances do not ask in step.
   *
   * @param perSecond requests per second on this instance
   * @param tookNanos the round trip of the last answer
   * @param lifeNanos of a lease
   * @param random from 0 on, less than 1
   */
  static double pauseNanos(double perSecond, long tookNanos, double lifeNanos, double random) {
    double decisionsNanos = LeaseSize.DECISIONS_PER_LEASE * 1e9 / perSecond;
    double mean = Math.max(decisionsNanos, tookNanos * ROUND_TRIPS_PER_CALL);
    double longest = Math.max(2 * decisionsNanos, LONGEST_PAUSE * lifeNanos);
    return Math.min(-Math.log(1 - random) * mean, longest);
  }

  /** Whether these claims would be denied, too: each asks for the same permits or more. */
  boolean denies(List<Claim> asked, long nowNanos, boolean isAsking) {
    if (nowNanos - askAgainNanos >= 0 && !isAsking) {
      return false;
    }
    for (int i = 0; i < claims.size(); i++) {
      if (asked.get(i).permits() < claims.get(i).permits()) {
        return false;
      }
    }
    return true;
  }

  Verdicts repeated(long nowNanos) {
    long ageMicros = (nowNanos - sentNanos) / 1000;
    long untilAskedMicros = Math.max(1, (askAgainNanos - nowNanos + 999) / 1000);
    boolean isRest = verdicts.stream().allMatch(Verdict::fits); // a grant that left little
    List<Verdict> each = new ArrayList<>(verdicts.size());
    for (int i = 0; i < verdicts.size(); i++) {
      Verdict verdict = verdicts.get(i);
      boolean fits = verdict.fits() && !isRest;
      long wait =
          isRest ? LeasePool.waitForNext(claims.get(i), verdict) : verdict.retryAfterMicros();
      long retry = fits ? 0 : Math.max(wait - ageMicros, untilAskedMicros);
      each.add(
          new Verdict(
              verdict.atMicros() + ageMicros,
              fits,
              verdict.remaining(),
              retry,
              Math.max(retry, verdict.resetAfterMicros() - ageMicros),
              Source.LEASE,
              null));
    }
    return new Verdicts(false, each);
  }
}
