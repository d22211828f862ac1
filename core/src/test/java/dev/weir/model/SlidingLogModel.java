package dev.weir.model;

import dev.weir.Limit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** A list of all admissions that may still count. */
final class SlidingLogModel implements Model {
  private final long limit;
  private final long length;
  private final List<long[]> timeAndCost = new ArrayList<>();

  SlidingLogModel(Limit.SlidingLog limit) {
    this.limit = limit.permits();
    this.length = limit.period().toNanos() / 1000;
  }

  @Override
  public boolean fits(long at, long permits) {
    return permits <= limit && used(at, entry -> true) + permits <= limit;
  }

  @Override
  public boolean fresh(long at) {
    return used(at, entry -> true) == 0;
  }

  @Override
  public void take(long at, long permits) {
    timeAndCost.removeIf(entry -> !counts(entry, at));
    timeAndCost.add(new long[] {at, permits});
  }

  @Override
  public boolean charge(long at, long permits, boolean debt) {
    long charged = Math.min(permits, Model.mostUsed(limit, debt) - used(at, entry -> true));
    if (charged > 0) {
      take(at, charged);
    }
    return charged > 0;
  }

  @Override
  public boolean refund(long at, long permits) {
    if (fresh(at)) {
      return false;
    }
    timeAndCost.removeIf(entry -> !counts(entry, at));
    return credit(at, permits, entry -> true);
  }

  @Override
  public boolean refundGrant(long at, long permits, long grantedAt) {
    return credit(at, permits, entry -> entry[0] == grantedAt);
  }

  @Override
  public BigInteger[] used(long at) {
    return new BigInteger[] {BigInteger.valueOf(used(at, entry -> true)), BigInteger.ONE};
  }

  @Override
  public void adopt(Model writer, long writtenAt) {
    ((SlidingLogModel) writer).timeAndCost.forEach(entry -> timeAndCost.add(entry.clone()));
  }

  private boolean credit(long at, long permits, Predicate<long[]> which) {
    boolean found = used(at, which) > 0;
    long left = permits;
    for (long[] entry : timeAndCost) {
      if (which.test(entry) && counts(entry, at)) {
        long credit = Math.min(left, entry[1]);
        entry[1] -= credit;
        left -= credit;
      }
    }
    timeAndCost.removeIf(entry -> entry[1] == 0);
    return found;
  }

  private boolean counts(long[] entry, long at) {
    return at - entry[0] < length;
  }

  private long used(long at, Predicate<long[]> which) {
    long used = 0;
    for (long[] entry : timeAndCost) {
      used += which.test(entry) && counts(entry, at) ? entry[1] : 0;
    }
    return used;
  }
}
