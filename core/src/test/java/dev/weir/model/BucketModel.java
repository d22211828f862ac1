package dev.weir.model;

import static java.math.BigInteger.ZERO;

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
  public void charge(long at, long permits) {
    set(at, level(at).subtract(parts(permits)).max(full.negate()));
  }

  @Override
  public void refund(long at, long permits) {
    set(at, level(at).add(parts(permits)).min(full));
  }

  @Override
  public void refundGrant(long at, long permits, long grantedAt) {
    BigInteger cameBack = big(at - grantedAt).multiply(partsPerMicro);
    set(at, level(at).add(parts(permits).subtract(cameBack).max(ZERO)).min(full));
  }

  @Override
  public void reset() {
    level = full;
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
