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
  public boolean charge(long at, long permits, boolean debt) {
    long charged = Math.min(permits, room(at, Model.mostUsed(limit, debt)));
    if (charged > 0) {
      add(at / length, charged);
    }
    return charged > 0;
  }

  @Override
  public boolean refund(long at, long permits) {
    return credit(at / length, permits);
  }

  @Override
  public boolean refundGrant(long at, long permits, long grantedAt) {
    long window = Math.floorDiv(grantedAt, length);
    return grantedAt <= at && window >= at / length - 1 && credit(window, permits);
  }

  private boolean credit(long window, long permits) {
    long before = count(window);
    add(window, -Math.min(permits, before));
    return before > 0;
  }

  @Override
  public BigInteger[] used(long at) {
    long number = at / length;
    BigInteger overlap = big(count(number - 1)).multiply(big(length - at % length));
    return new BigInteger[] {big(count(number)).multiply(big(length)).add(overlap), big(length)};
  }

  @Override
  public void adopt(Model writer, long writtenAt) {
    if (writer instanceof SlidingWindowModel other && other.length == length) {
      counts.putAll(other.counts);
    } else {
      add(writtenAt / length, Model.wholeUsed(writer, writtenAt));
    }
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
