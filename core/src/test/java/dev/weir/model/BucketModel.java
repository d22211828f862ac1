package dev.weir.model;

import dev.weir.Limit;
import java.math.BigInteger;

/**
 * A bucket with a level. One permit is as many parts as the period has microseconds, so that each
 * microsecond brings as many parts as the period brings permits.
 */
final class BucketModel implements Model {
  private final BigInteger partsPerPermit;
  private final BigInteger partsPerMicro;
  private final BigInteger full;

  private BigInteger level;
  private long levelAt;

  BucketModel(Limit.TokenBucket limit) {
    partsPerPermit = big(limit.period().toNanos() / 1000);
    partsPerMicro = big(limit.permits());
    full = parts(limit.capacity());
    level = full;
  }

  @Override
  public boolean fits(long at, long permits) {
    return parts(permits).compareTo(level(at)) <= 0;
  }

  @Override
  public boolean fresh(long at) {
    return level(at).equals(full);
  }

  @Override
  public void take(long at, long permits) {
    set(at, level(at).subtract(parts(permits)));
  }

  @Override
  public boolean charge(long at, long permits, boolean debt) {
    BigInteger lowest = debt ? full.negate() : BigInteger.ZERO;
    boolean deepest = level(at).compareTo(lowest) <= 0;
    if (!deepest) {
      set(at, level(at).subtract(parts(permits)).max(lowest));
    }
    return !deepest;
  }

  @Override
  public boolean refund(long at, long permits) {
    return add(at, parts(permits));
  }

  @Override
  public boolean refundGrant(long at, long permits, long grantedAt) {
    BigInteger credit = parts(permits).min(full.add(full));
    BigInteger left = credit.subtract(big(at).subtract(big(grantedAt)).multiply(partsPerMicro));
    return grantedAt <= at && left.signum() >= 0 && add(at, left);
  }

  private boolean add(long at, BigInteger parts) {
    if (level(at).equals(full)) {
      return false;
    }
    set(at, level(at).add(parts).min(full));
    return true;
  }

  @Override
  public BigInteger[] used(long at) {
    return new BigInteger[] {full.subtract(level(at)), partsPerPermit};
  }

  /**
   * Whole permits are counted up to 2^53 - 1, as everywhere; the fraction of one is rounded up to
   * what this bucket can count.
   */
  @Override
  public void adopt(Model writer, long writtenAt) {
    BigInteger[] used = writer.used(writtenAt);
    BigInteger parts;
    if (writer instanceof BucketModel) {
      BigInteger[] whole = used[0].divideAndRemainder(used[1]);
      BigInteger step = partsPerPermit.gcd(partsPerMicro);
      BigInteger rest = Model.ceil(whole[1].multiply(partsPerPermit), used[1].multiply(step));
      parts = whole[0].min(Model.MOST_COUNTED).multiply(partsPerPermit).add(rest.multiply(step));
    } else {
      parts = parts(Model.wholeUsed(writer, writtenAt));
    }
    set(writtenAt, full.subtract(parts).max(full.negate()));
  }

  private BigInteger level(long at) {
    return level.add(big(at - levelAt).multiply(partsPerMicro)).min(full);
  }

  private void set(long at, BigInteger newLevel) {
    level = newLevel;
    levelAt = at;
  }

  private BigInteger parts(long permits) {
    return big(permits).multiply(partsPerPermit);
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
