package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.Check;
import dev.weir.internal.Micros;
import dev.weir.internal.text.HumanDuration;
import java.math.BigInteger;
import java.time.Duration;

/**
 * A token bucket, kept as the time it still needs to be full.
 *
 * <p>The deficit of a bucket is a length of time: with R permits per P microseconds, one permit is
 * P/R microseconds of refilling. Reduce P/R by its greatest common divisor to p/r; then every
 * deficit is a whole number of microseconds plus some r-ths of one, and both are integers. A bucket
 * of 7 per second: p/r = 1000000/7, so one permit is 142857 us and 1/7 us. Asking, taking and
 * waiting are then additions and comparisons: nothing is multiplied, nothing is rounded.
 *
 * <p>State: {@code amount} is the whole microseconds of the deficit at {@code time}, {@code extra}
 * the r-ths beyond them. A deficit is at most twice the fill time: that is the most debt of a
 * charge, and all that remains of earlier use when the capacity is lowered.
 */
public final class TokenBucketMeter extends Meter {
  private static final long MAX_FILL_MICROS = Micros.of(Duration.ofDays(36_525));

  /** p and r of the class comment. */
  private final long permitNumerator;

  private final long permitDenominator;

  private final Span one;
  private final Span roomForOne;
  private final Span full;
  private final Span deepestDebt;

  TokenBucketMeter(Limit.TokenBucket limit) {
    super(limit);
    long periodMicros = Micros.of(limit.period());
    long divisor = gcd(limit.permits(), periodMicros);
    permitNumerator = periodMicros / divisor;
    permitDenominator = limit.permits() / divisor;
    one = spanOf(1);
    roomForOne = spanOf(capacity - 1);
    full = spanOf(capacity);
    deepestDebt = doubled(full);
  }

  /**
   * Refuses fill times with which a deficit, doubled by debt, could come near 2^53 microseconds.
   */
  public static void checkFillTime(long capacity, long permits, Duration period) {
    BigInteger fill =
        BigInteger.valueOf(capacity)
            .multiply(BigInteger.valueOf(Micros.of(period)))
            .divide(BigInteger.valueOf(permits));
    if (fill.compareTo(BigInteger.valueOf(MAX_FILL_MICROS)) > 0) {
      throw new IllegalArgumentException(
          "capacity must be refilled within 36525 days, was "
              + capacity
              + " at "
              + permits
              + " per "
              + HumanDuration.of(period));
    }
  }

  /** How long a bucket takes to refill this many permits, at most its capacity; rounded up. */
  public static long fillMicros(Limit.TokenBucket bucket, long permits) {
    return MulDiv.ceil(permits, Micros.of(bucket.period()), bucket.permits());
  }

  /** A length of time: whole microseconds and {@code rest} r-ths of one. */
  public record Span(long whole, long rest) {}

  /** How long the bucket takes to refill this many permits, which must be within 200 years. */
  public Span spanOf(long permits) {
    return new Span(
        MulDiv.floor(permits, permitNumerator, permitDenominator),
        MulDiv.rest(permits, permitNumerator, permitDenominator));
  }

  /** The time an empty bucket takes to fill. */
  public Span full() {
    return full;
  }

  private Span doubled(Span span) {
    long rest = 2 * span.rest;
    boolean carries = rest >= permitDenominator;
    return new Span(2 * span.whole + (carries ? 1 : 0), carries ? rest - permitDenominator : rest);
  }

  public long permitNumerator() {
    return permitNumerator;
  }

  public long permitDenominator() {
    return permitDenominator;
  }

  @Override
  public boolean fits(State state, long now, long permits) {
    if (permits > capacity) {
      return false;
    }
    Span room = permits == 1 ? roomForOne : spanOf(capacity - permits);
    long whole = wholeDeficit(state, now);
    return whole < room.whole || whole == room.whole && restOfDeficit(state, now) <= room.rest;
  }

  @Override
  public void take(State state, long now, long permits) {
    Span cost = permits == 1 ? one : spanOf(permits);
    add(state, now, cost.whole, cost.rest);
  }

  @Override
  public boolean charge(State state, long now, long permits, boolean debt) {
    Span deepest = debt ? deepestDebt : full;
    if (permits == 0 || !isBelow(wholeDeficit(state, now), restOfDeficit(state, now), deepest)) {
      return false;
    }
    Span cost = spanOf(Math.min(permits, 2 * capacity));
    add(state, now, cost.whole, cost.rest);
    if (!isBelow(state.amount, state.extra, deepest)) {
      state.amount = deepest.whole;
      state.extra = deepest.rest;
    }
    return true;
  }

  @Override
  public boolean refund(State state, long now, long permits) {
    return refundGrant(state, now, permits, Math.max(now, state.time));
  }

  @Override
  public boolean refundGrant(State state, long now, long permits, long grantedAt) {
    Span credit = spanOf(Math.min(permits, 2 * capacity));
    long at = Math.max(now, state.time);
    // The bucket has refilled this much since the grant; it must not be given back again.
    long refilled = at - grantedAt;
    long whole = wholeDeficit(state, now);
    long rest = restOfDeficit(state, now);
    if (grantedAt > at || refilled < 0 || refilled > credit.whole || whole == 0 && rest == 0) {
      return false;
    }
    whole -= credit.whole - refilled;
    rest -= credit.rest;
    if (rest < 0) {
      rest += permitDenominator;
      whole--;
    }
    state.set(at, Math.max(0, whole), whole < 0 ? 0 : rest);
    return true;
  }

  @Override
  public void bringBack(State state, long now) {
    if (state.time - now > full.whole) {
      state.time = now;
    }
  }

  @Override
  public long remaining(State state, long now) {
    long whole = wholeDeficit(state, now);
    return Math.max(0, capacity - permitsIn(whole, restOfDeficit(state, now)));
  }

  @Override
  long used(State state, long now) {
    long elapsed = Math.max(0, now - state.time);
    long whole = state.amount - elapsed;
    return whole < 0 ? 0 : permitsIn(whole, state.extra);
  }

  @Override
  void setUsed(State state, long at, long used) {
    Span deficit = used >= 2 * capacity ? deepestDebt : spanOf(used);
    state.set(at, deficit.whole, deficit.rest);
  }

  /**
   * Converts the deficit with its fraction of a permit, rounded up to the smallest unit of the new
   * rate. If it were rounded to whole permits, a bucket used by two versions of a rule in turn
   * would never refill.
   */
  @Override
  void convert(State state, Meter writer) {
    if (writer instanceof TokenBucketMeter bucket) {
      convertBucket(state, bucket);
    } else {
      super.convert(state, writer);
    }
  }

  private void convertBucket(State state, TokenBucketMeter from) {
    if (from.permitNumerator == permitNumerator && from.permitDenominator == permitDenominator) {
      return; // the capacity is no part of the state
    }
    long p = from.permitNumerator;
    long parts = MulDiv.rest(state.amount, from.permitDenominator, p) + state.extra;
    long permits = MulDiv.floor(state.amount, from.permitDenominator, p) + parts / p;
    setUsed(state, state.time, Math.min(permits, Check.MAX_PERMITS));
    long rest = state.extra + MulDiv.ceil(parts % p, permitNumerator, p);
    state.amount += rest / permitDenominator;
    state.extra = rest % permitDenominator;
  }

  @Override
  long waitFor(State state, long now, long permits) {
    Span room = spanOf(capacity - permits);
    long wait = wholeDeficit(state, now) - room.whole;
    return wait + (restOfDeficit(state, now) > room.rest ? 1 : 0) + Math.max(0, state.time - now);
  }

  @Override
  public long endsAt(State state) {
    return state.amount == 0 && state.extra == 0
        ? 0
        : state.time + state.amount + (state.extra > 0 ? 1 : 0);
  }

  @Override
  public long resetAfter(State state, long now) {
    long deficit = wholeDeficit(state, now) + (restOfDeficit(state, now) > 0 ? 1 : 0);
    return deficit == 0 ? 0 : deficit + Math.max(0, state.time - now);
  }

  /** Permits that refill in this time, rounded up. */
  private long permitsIn(long whole, long rest) {
    long parts = MulDiv.rest(whole, permitDenominator, permitNumerator) + rest;
    return MulDiv.floor(whole, permitDenominator, permitNumerator)
        + parts / permitNumerator
        + (parts % permitNumerator == 0 ? 0 : 1);
  }

  private void add(State state, long now, long addedWhole, long addedRest) {
    long whole = wholeDeficit(state, now) + addedWhole;
    long rest = restOfDeficit(state, now) + addedRest;
    if (rest >= permitDenominator) {
      rest -= permitDenominator;
      whole++;
    }
    state.set(Math.max(now, state.time), whole, rest);
  }

  /** Whole microseconds until full; together with {@link #restOfDeficit} the deficit now. */
  private long wholeDeficit(State state, long now) {
    long whole = Math.min(state.amount, deepestDebt.whole);
    return now <= state.time ? whole : Math.max(0, whole - (now - state.time));
  }

  private long restOfDeficit(State state, long now) {
    if (now > state.time && Math.min(state.amount, deepestDebt.whole) < now - state.time) {
      return 0;
    }
    return isBelow(state.amount, state.extra, deepestDebt) ? state.extra : deepestDebt.rest;
  }

  private static boolean isBelow(long whole, long rest, Span span) {
    return whole < span.whole || whole == span.whole && rest < span.rest;
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
