package dev.weir.internal.arithmetic;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Leased permits of one limit, and until when they may be spent. Reads no clock. Not safe for many
 * threads.
 *
 * <p>Permits of a window end with the window that they were taken in. The store counts them in it
 * before they are spent; the previous window of a sliding window only loses weight meanwhile.
 * Permits of a token bucket end after a fixed life, half of a lease after a shorter one; {@code
 * LeaseTerms} shows that the limit holds.
 *
 * <p>The life of a lease starts before its request is sent, by a clock of this process; the store
 * takes the permits later. The life is shortened by a thousandth, because two clocks never run at
 * the same speed.
 */
public final class LeasePool {
  private static final long CLOCK_TOLERANCE = 1000;

  private final boolean isBucket;
  private final long earlyLifeMicros;
  private final long lifeMicros;
  private final long windowAfterEndMicros;
  private final List<LeasedBatch> batches = new ArrayList<>(4);

  private long lastLease;
  private long windowEndsNanos;
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

    boolean isOver(long nowNanos) {
      return permits == 0 || nowNanos - endsNanos >= 0;
    }
  }

  /**
   * @param earlyLifeMicros how long the first half of a lease of a token bucket can be spent
   * @param lifeMicros how long the other half can be spent
   */
  public LeasePool(Limit limit, long earlyLifeMicros, long lifeMicros) {
    this.earlyLifeMicros = earlyLifeMicros;
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
    if (isBucket) {
      long late = permits / 2; // never more than half
      insert(permits - late, sentNanos, takenMicros, earlyLifeMicros);
      if (late > 0) {
        insert(late, sentNanos, takenMicros, lifeMicros);
      }
    } else {
      addToWindow(permits, sentNanos, takenMicros, resetAfterMicros - windowAfterEndMicros);
    }
    lastLease = permits;
    this.takenMicros = takenMicros;
    this.arrivedNanos = arrivedNanos;
  }

  /** Keeps batches in the order of their ends. */
  private void insert(long permits, long sentNanos, long takenMicros, long life) {
    long ends = ends(sentNanos, life);
    int place = batches.size();
    while (place > 0 && batches.get(place - 1).endsNanos - ends > 0) {
      place--;
    }
    LeasedBatch batch = new LeasedBatch(takenMicros, takenMicros + life, ends);
    batch.permits = permits;
    batches.add(place, batch);
  }

  private void addToWindow(long permits, long sentNanos, long takenMicros, long life) {
    long ends = ends(sentNanos, life);
    LeasedBatch last = batches.isEmpty() ? null : last();
    if (last == null || last.endMicros != takenMicros + life) {
      last = new LeasedBatch(takenMicros, takenMicros + life, ends);
      batches.add(last);
      openedMicros = takenMicros;
    }
    last.permits += permits;
    last.endsNanos = ends - last.endsNanos > 0 ? ends : last.endsNanos;
    windowEndsNanos = last.endsNanos;
  }

  private static long ends(long sentNanos, long lifeMicros) {
    return sentNanos + 1000 * (lifeMicros - lifeMicros / CLOCK_TOLERANCE - 1);
  }

  private LeasedBatch last() {
    return batches.get(batches.size() - 1);
  }

  /** Permits that may be spent now. */
  public long unspent(long nowNanos) {
    long sum = 0;
    while (!batches.isEmpty() && batches.get(0).isOver(nowNanos)) {
      lost += batches.remove(0).permits;
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

  /**
   * Whether the next lease is due. More permits of a window would end with it as well, so its end
   * does not matter.
   *
   * @param permits fewer than this are low; after a small lease, less than a quarter of it is
   * @param leadNanos permits of a bucket are low when all of them end within this time
   */
  public boolean isLow(long nowNanos, long permits, long leadNanos) {
    long left = unspent(nowNanos);
    return left == 0
        || left < Math.min(permits, (lastLease + 3) / 4)
        || isBucket && last().endsNanos - nowNanos <= leadNanos;
  }

  /** How long permits leased now could be spent, as far as is known. */
  public long lifeNanos(long nowNanos) {
    long left = windowEndsNanos - nowNanos;
    return isBucket || left <= 0 ? 1000 * lifeMicros : Math.min(left, 1000 * lifeMicros);
  }

  /** How many permits will be spent before they end, at this rate. */
  public double spendable(long nowNanos, double permitsPerSecond) {
    double seconds = 0;
    for (LeasedBatch batch : batches) {
      double left = (batch.endsNanos - nowNanos) / 1e9 - seconds;
      seconds += Math.max(0, Math.min(left, batch.permits / permitsPerSecond));
    }
    return seconds * permitsPerSecond;
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
    last().permits += permits;
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
    return unspent(nowNanos) == 0 ? 0 : last().endsNanos - nowNanos;
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
