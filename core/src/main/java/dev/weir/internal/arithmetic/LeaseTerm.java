package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.Micros;

/**
 * Until when permits that were taken in advance may be spent, so that the limit's own bound holds
 * at every instant. Immutable.
 *
 * <p><b>Windows.</b> Permits end with the window that they were taken in. They were counted in it
 * before they are spent, and the previous window of a sliding window only loses weight meanwhile.
 *
 * <p><b>Token bucket.</b> Capacity C, refill r per microsecond; D is the deficit of the bucket, n
 * the permits of a lease taken at g. A lease that is kept would let the bucket refill behind it,
 * and C + n could pass at once. So the unspent permits shrink as the bucket refills: at time x at
 * most {@code V = n - r (x - g)} of them may be left. Every lease and every plain request adds n to
 * D when it adds n to its own V. D falls by r per microsecond, and so does each V above zero. So D
 * is never below the sum of all V, and the permits in the bucket and in all processes together,
 * {@code C - D + sum of unspent <= C - D + sum of V}, are never more than C. They grow by r per
 * microsecond and fall by one with each request, so at most C + r t requests pass in any interval
 * t. With 100 per second, a lease of 50 has 30 left to spend after 0.2 s if none was used. What has
 * shrunk away is not lost: the bucket has it again.
 *
 * <p>Giving back u unspent permits lowers D by at most u and by at most V. For that they count as
 * taken at g plus the time in which the spent ones refill.
 *
 * <p>Time is counted from before the request for the lease was sent, by a clock of this process; g
 * is later. A thousandth is added, because two clocks never run alike.
 */
public final class LeaseTerm {
  private static final long CLOCK_TOLERANCE = 1000;

  private final long permits;
  private final long takenAtMicros;
  private final long lifeMicros;

  /** Of a token bucket; no permits refill in a window. */
  private final long refillPermits;

  private final long refillMicros;

  private LeaseTerm(
      long permits, long takenAtMicros, long lifeMicros, long refillPermits, long refillMicros) {
    this.permits = permits;
    this.takenAtMicros = takenAtMicros;
    this.lifeMicros = lifeMicros;
    this.refillPermits = refillPermits;
    this.refillMicros = refillMicros;
  }

  /**
   * @param permits that were taken: 1 or more
   * @param takenAtMicros the store's time of that
   * @param resetAfterMicros from then until the key is fresh, as the store said
   */
  public static LeaseTerm of(Limit limit, long permits, long takenAtMicros, long resetAfterMicros) {
    long periodMicros = Micros.of(limit.period());
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET ->
          new LeaseTerm(
              permits,
              takenAtMicros,
              MulDiv.floor(permits, periodMicros, limit.permits()),
              limit.permits(),
              periodMicros);
      case FIXED_WINDOW -> new LeaseTerm(permits, takenAtMicros, resetAfterMicros, 0, 1);
      case SLIDING_WINDOW -> // fresh one window after the end of the current one
          new LeaseTerm(permits, takenAtMicros, resetAfterMicros - periodMicros, 0, 1);
      case SLIDING_LOG -> throw new IllegalArgumentException("a sliding log cannot be leased");
    };
  }

  /** The most permits that may be left unspent so long after the lease was requested. */
  public long spendable(long elapsedMicros) {
    long elapsed = elapsedMicros + elapsedMicros / CLOCK_TOLERANCE + 1;
    if (elapsed >= lifeMicros) {
      return 0;
    }
    return permits - MulDiv.ceil(elapsed, refillPermits, refillMicros);
  }

  /** The time after which nothing can be spent, from the request on. */
  public long lifeMicros() {
    return lifeMicros;
  }

  public long permits() {
    return permits;
  }

  /**
   * The time of the grant for a receipt of spent permits. Another process can give back what counts
   * in a window; of a bucket nothing, because the lease goes on here as if it were not.
   */
  public long receiptMicros() {
    return refillPermits == 0 ? takenAtMicros : takenAtMicros - lifeMicros - 2;
  }

  /**
   * The time of the grant for a receipt of unspent permits.
   *
   * @param sinceAnswerMicros since the answer of the store arrived: the store's clock is at least
   *     that much later
   */
  public long returnMicros(long unspent, long sinceAnswerMicros) {
    if (refillPermits == 0) {
      return takenAtMicros;
    }
    long refillOfSpent = MulDiv.floor(permits - unspent, refillMicros, refillPermits);
    long certainlyPassed = sinceAnswerMicros - sinceAnswerMicros / CLOCK_TOLERANCE - 1;
    return takenAtMicros + Math.max(0, Math.min(refillOfSpent, certainlyPassed));
  }
}
