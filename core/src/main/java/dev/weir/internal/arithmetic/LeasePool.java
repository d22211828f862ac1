package dev.weir.internal.arithmetic;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.util.OptionalLong;

/**
 * Permits of one limit that were taken in advance, and until when they may be spent so that the
 * limit's own bound holds at every instant. No clock is read. Not safe for many threads.
 *
 * <p><b>Windows.</b> Permits end with the window that they were taken in. They were counted in it
 * before they are spent, and the previous window of a sliding window only loses weight meanwhile.
 *
 * <p><b>Token bucket.</b> Capacity C, refill r per microsecond, D the deficit of the bucket.
 * Permits that are kept while the bucket refills behind them would let C and them pass at once. So
 * they shrink as the bucket refills: V is the deficit of a bucket of the same rate that only the
 * leases of this instance are taken from, and at most V permits may be left unspent. Each lease and
 * each plain request adds as much to D as to its own V. D falls by r per microsecond, and so does
 * every V above zero. So D is never below the sum of all V, and what the bucket and all instances
 * can hand out, {@code C - D + sum of unspent <= C - D + sum of V}, is never more than C. It grows
 * by r per microsecond and falls by one with each request: at most C + r t requests pass in any
 * interval t. With 100 per second, a lease of 50 has 30 left after 0.2 s if none was used. In the
 * store nothing has to be known of leases; a lost answer and a killed instance need no repair.
 *
 * <p>Giving back u unspent permits lowers D by u less what refills until the store has done it,
 * which is no more than V then.
 *
 * <p>Time is counted from before the request for a lease was sent, by a clock of this process; the
 * store takes the permits later. A thousandth is added, because two clocks never run alike.
 */
public final class LeasePool {
  private static final long CLOCK_TOLERANCE = 1000;

  private final boolean refills;
  private final long refillPermits;
  private final long periodMicros;
  private final long windowAfterEndMicros;
  private final long fullMicros;

  private long unspent;
  private long lastLease;

  /** Of a window: its end by the store's clock, and by this process's. */
  private long endMicros;

  private long endsNanos;

  /** Of a bucket: V as the time it takes to refill, at the anchor. */
  private long deficitMicros;

  private long anchorNanos;

  /** The store's time of the first lease of this pool, and of the last, with its arrival. */
  private long openedMicros;

  private long takenMicros;
  private long arrivedNanos;

  public LeasePool(Limit limit) {
    periodMicros = Micros.of(limit.period());
    refillPermits = limit.permits();
    refills =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET -> true;
          case FIXED_WINDOW, SLIDING_WINDOW -> false;
          case SLIDING_LOG, IN_FLIGHT ->
              throw new IllegalArgumentException("only buckets and windows have leases");
        };
    windowAfterEndMicros =
        switch (limit.algorithm()) {
          case SLIDING_WINDOW -> periodMicros; // fresh one window after the end of the current one
          case TOKEN_BUCKET, FIXED_WINDOW, SLIDING_LOG, IN_FLIGHT -> 0;
        };
    fullMicros = refills ? MulDiv.ceil(limit.capacity(), periodMicros, refillPermits) : 0;
  }

  /**
   * Adds a lease.
   *
   * @param permits to be spent from now on
   * @param taken permits that the store has taken for it: these, and those spent at once
   * @param sentNanos a time of this process before the request for it was sent
   * @param arrivedNanos when its answer arrived
   * @param takenMicros the store's time of it
   * @param resetAfterMicros from then until the key is fresh, as the store said
   * @return permits of a window that has passed, which are lost
   */
  public long add(
      long permits,
      long taken,
      long sentNanos,
      long arrivedNanos,
      long takenMicros,
      long resetAfterMicros) {
    long lost =
        refills ? addToBucket(taken, sentNanos) : addToWindow(takenMicros + resetAfterMicros);
    if (!refills) {
      long lifeNanos = (resetAfterMicros - windowAfterEndMicros) * 1000;
      endsNanos = sentNanos + lifeNanos - lifeNanos / CLOCK_TOLERANCE - 1000;
    }
    if (openedMicros == 0) {
      openedMicros = takenMicros;
    }
    unspent += permits;
    lastLease = permits;
    this.takenMicros = takenMicros;
    this.arrivedNanos = arrivedNanos;
    return lost;
  }

  private long addToBucket(long taken, long sentNanos) {
    long before = deficit(sentNanos);
    deficitMicros = before + MulDiv.floor(taken, periodMicros, refillPermits);
    anchorNanos = sentNanos;
    return 0;
  }

  private long addToWindow(long newEndMicros) {
    long lost = 0;
    if (newEndMicros != endMicros) {
      lost = clear();
      endMicros = newEndMicros;
    }
    return lost;
  }

  /** Permits that may be spent now. */
  public long unspent(long nowNanos) {
    if (refills) {
      return Math.min(unspent, MulDiv.floor(deficit(nowNanos), refillPermits, periodMicros));
    }
    return nowNanos - endsNanos < 0 ? unspent : 0;
  }

  private long deficit(long nowNanos) {
    long elapsed = Math.max(0, (nowNanos - anchorNanos + 999) / 1000);
    return Math.max(0, deficitMicros - elapsed - elapsed / CLOCK_TOLERANCE - 1);
  }

  /** Spends permits that may be spent. */
  public void take(long permits, long nowNanos) {
    unspent = unspent(nowNanos) - permits;
  }

  /** Whether less than a quarter of the last lease is left. */
  public boolean isLow(long nowNanos) {
    return unspent(nowNanos) < (lastLease + 3) / 4;
  }

  /**
   * The time of the grant for a receipt of spent permits, the same until the pool is cleared.
   * Another instance can give back what counts in a window; of a bucket nothing, because the lease
   * is kept here as if it were not.
   */
  public long receiptMicros() {
    return refills ? openedMicros - fullMicros - 1 : openedMicros;
  }

  /** Whether a receipt of that time is of permits that were spent from this pool. */
  public boolean wasSpentAt(OptionalLong atMicros) {
    return openedMicros != 0 && atMicros.isPresent() && atMicros.getAsLong() == receiptMicros();
  }

  /** Takes spent permits back. */
  public void putBack(long permits) {
    unspent += permits;
  }

  /** The time of the grant for a receipt of unspent permits: the store's clock is later. */
  public long returnMicros(long nowNanos) {
    if (!refills) {
      return openedMicros;
    }
    long passed = (nowNanos - arrivedNanos) / 1000;
    return takenMicros + Math.max(0, passed - passed / CLOCK_TOLERANCE - 1);
  }

  /** Empties the pool; the permits that were neither spent nor given back. */
  public long clear() {
    long left = unspent;
    unspent = 0;
    lastLease = 0;
    deficitMicros = 0;
    openedMicros = 0;
    return left;
  }

  /** For how long something can be spent, if nothing is. */
  public long leftNanos(long nowNanos) {
    if (unspent(nowNanos) == 0) {
      return 0;
    }
    return refills ? deficit(nowNanos) * 1000 : endsNanos - nowNanos;
  }

  /**
   * How long after a grant the same would be granted again, as far as the grant tells; 0 if it does
   * not.
   */
  public static long waitForNext(Claim claim, Verdict granted) {
    Limit limit = claim.policy().limit();
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> {
        long rest = limit.capacity() - claim.permits();
        long refill = MulDiv.floor(rest, Micros.of(limit.period()), limit.permits());
        yield Math.max(0, granted.resetAfterMicros() - refill);
      }
      case FIXED_WINDOW -> granted.remaining() < claim.permits() ? granted.resetAfterMicros() : 0;
      case SLIDING_WINDOW, SLIDING_LOG, IN_FLIGHT -> 0;
    };
  }
}
