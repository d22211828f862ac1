package dev.weir.internal.arithmetic;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;

/**
 * Leased permits of one limit, and until when they may be spent. Reads no clock. Not safe for many
 * threads.
 *
 * <p>Permits of a window end with the window that they were taken in. The store counts them in it
 * before they are spent; the previous window of a sliding window only loses weight meanwhile.
 * Permits of a token bucket end after a fixed life; {@code LeaseTerms} shows that the limit holds.
 *
 * <p>The life of a lease starts before its request is sent, by a clock of this process; the store
 * takes the permits later. The life is shortened by a thousandth, because two clocks never run at
 * the same speed.
 */
public final class LeasePool {
  private static final long CLOCK_TOLERANCE = 1000;

  private final boolean isBucket;
  private final long lifeMicros;
  private final long windowAfterEndMicros;
  private final Deque<LeasedBatch> batches = new ArrayDeque<>(4);

  private long lastLease;
  private long lost;

  /** The store's time of the first lease in the window, and of the last, with its arrival. */
  private long openedMicros;

  private long takenMicros;
  private long arrivedNanos;
  private long spentMicros;

  /** Permits that end together. */
  private static final class LeasedBatch {
    final long takenMicros;
    final long endMicros;
    long endsNanos;
    long permits;

    LeasedBatch(long takenMicros, long endMicros, long endsNanos) {
      this.takenMicros = takenMicros;
      this.endMicros = endMicros;
      this.endsNanos = endsNanos;
    }
  }

  /**
   * @param lifeMicros how long permits of a token bucket can be spent
   */
  public LeasePool(Limit limit, long lifeMicros) {
    this.lifeMicros = lifeMicros;
    isBucket =
        switch (limit.algorithm()) {
          case TOKEN_BUCKET -> true;
          case FIXED_WINDOW, SLIDING_WINDOW -> false;
          case SLIDING_LOG, IN_FLIGHT ->
              throw new IllegalArgumentException("only buckets and windows have leases");
        };
    windowAfterEndMicros =
        switch (limit.algorithm()) {
          case SLIDING_WINDOW -> Micros.of(limit.period()); // fresh one window after its end
          case TOKEN_BUCKET, FIXED_WINDOW, SLIDING_LOG, IN_FLIGHT -> 0;
        };
  }

  /**
   * Adds a lease.
   *
   * @param permits to be spent from now on
   * @param sentNanos a time of this process before the request for it was sent
   * @param arrivedNanos when its answer arrived
   * @param takenMicros the store's time of it
   * @param resetAfterMicros from then until the key is fresh, as the store said
   */
  public void add(
      long permits, long sentNanos, long arrivedNanos, long takenMicros, long resetAfterMicros) {
    long life = isBucket ? lifeMicros : resetAfterMicros - windowAfterEndMicros;
    long ends = sentNanos + 1000 * (life - life / CLOCK_TOLERANCE - 1);
    LeasedBatch last = batches.peekLast();
    if (last == null || isBucket || last.endMicros != takenMicros + life) {
      last = new LeasedBatch(takenMicros, takenMicros + life, ends);
      batches.addLast(last);
      openedMicros = takenMicros;
    }
    last.permits += permits;
    last.endsNanos = ends - last.endsNanos > 0 ? ends : last.endsNanos;
    lastLease = permits;
    this.takenMicros = takenMicros;
    this.arrivedNanos = arrivedNanos;
  }

  /** Permits that may be spent now. */
  public long unspent(long nowNanos) {
    long sum = 0;
    for (LeasedBatch first = batches.peekFirst();
        first != null && (first.permits == 0 || nowNanos - first.endsNanos >= 0);
        first = batches.peekFirst()) {
      lost += first.permits;
      batches.removeFirst();
    }
    for (LeasedBatch batch : batches) {
      sum += nowNanos - batch.endsNanos < 0 ? batch.permits : 0;
    }
    return sum;
  }

  /** Spends permits; those that end first are spent first. There must be enough. */
  public void take(long permits, long nowNanos) {
    long left = permits;
    for (LeasedBatch batch : batches) {
      if (nowNanos - batch.endsNanos < 0 && batch.permits > 0) {
        long taken = Math.min(left, batch.permits);
        batch.permits -= taken;
        left -= taken;
        spentMicros = batch.takenMicros;
      }
      if (left == 0) {
        return;
      }
    }
  }

  /** Whether less than a quarter of the last lease is left. */
  public boolean isLow(long nowNanos) {
    return unspent(nowNanos) < (lastLease + 3) / 4;
  }

  /** The time of the grant to write into a receipt for permits that were just spent. */
  public long receiptMicros() {
    return isBucket ? spentMicros : openedMicros;
  }

  /**
   * Whether the permits of a receipt with this time can be spent here again. Permits of a window
   * can, until the pool is cleared. Permits of a bucket may have ended, and go back to the store.
   */
  public boolean canTakeBack(OptionalLong atMicros) {
    return !isBucket
        && !batches.isEmpty()
        && atMicros.isPresent()
        && atMicros.getAsLong() == openedMicros;
  }

  /** Takes spent permits back. */
  public void putBack(long permits) {
    batches.getLast().permits += permits;
  }

  /** The time of the grant to write into a receipt for unspent permits; not after the store's. */
  public long returnMicros(long nowNanos) {
    if (!isBucket) {
      return openedMicros;
    }
    long passed = (nowNanos - arrivedNanos) / 1000;
    return takenMicros + Math.max(0, passed - passed / CLOCK_TOLERANCE - 1);
  }

  /** Empties the pool; what is left counts as lost. */
  public void clear() {
    batches.forEach(batch -> lost += batch.permits);
    batches.clear();
    lastLease = 0;
    openedMicros = 0;
  }

  /** Permits that have ended unspent since the last call of this method. */
  public long takeLost() {
    long since = lost;
    lost = 0;
    return since;
  }

  /** How long unspent permits can still be spent at most; 0 if there are none. */
  public long leftNanos(long nowNanos) {
    return unspent(nowNanos) == 0 ? 0 : batches.getLast().endsNanos - nowNanos;
  }

  /**
   * The wait after which the same claim would be granted again, as far as the verdict of a grant
   * tells; 0 if it does not.
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
