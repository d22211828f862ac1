package dev.weir.model;

import dev.weir.Limit;
import java.math.BigInteger;
import java.util.TreeMap;

/** A count for each window, by its number since 1970. */
final class SlidingWindowModel implements Model {
  private final long limit;
  private final long length;
  private final TreeMap<Long, Long> counts = new TreeMap<>();

  SlidingWindowModel(Limit.SlidingWindow limit) {
    this.limit = limit.permits();
    this.length = limit.period().toNanos() / 1000;
  }

  /** previous * overlap + current + permits <= limit, all times the length of a window. */
  @Override
  public boolean fits(long at, long permits) {
    return permits <= limit && room(at, limit) >= permits;
  }

  @Override
  public boolean fresh(long at) {
    return count(at / length) == 0 && count(at / length - 1) == 0;
  }

  @Override
  public void take(long at, long permits) {
    add(at / length, permits);
  }

  @Override
  public void charge(long at, long permits) {
    add(at / length, Math.min(permits, room(at, Model.mostUsed(limit))));
  }

  @Override
  public void refund(long at, long permits) {
    add(at / length, -Math.min(permits, count(at / length)));
  }

  @Override
  public void refundGrant(long at, long permits, long grantedAt) {
    long window = grantedAt / length;
    add(window, -Math.min(permits, count(window)));
  }

  @Override
  public void reset() {
    counts.clear();
  }

  /** The most whole permits that fit under a bound; negative when in debt. */
  private long room(long at, long bound) {
    long number = at / length;
    BigInteger overlap = big(count(number - 1)).multiply(big(length - at % length));
    BigInteger left = big(bound - count(number)).multiply(big(length)).subtract(overlap);
    BigInteger[] parts = left.divideAndRemainder(big(length));
    return parts[0].longValueExact() - (parts[1].signum() < 0 ? 1 : 0);
  }

  private long count(long number) {
    return counts.getOrDefault(number, 0L);
  }

  private void add(long number, long permits) {
    counts.merge(number, permits, Long::sum);
    counts.headMap(number - 2).clear();
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }
}
