package dev.weir.model;

import dev.weir.Limit;
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
    return permits <= limit && used(at) + permits <= limit;
  }

  @Override
  public boolean fresh(long at) {
    return used(at) == 0;
  }

  @Override
  public void take(long at, long permits) {
    timeAndCost.removeIf(entry -> !counts(entry, at));
    timeAndCost.add(new long[] {at, permits});
  }

  @Override
  public void charge(long at, long permits) {
    take(at, Math.min(permits, Model.mostUsed(limit) - used(at)));
  }

  @Override
  public void refund(long at, long permits) {
    credit(permits, entry -> counts(entry, at));
  }

  @Override
  public void refundGrant(long at, long permits, long grantedAt) {
    credit(permits, entry -> counts(entry, at) && entry[0] == grantedAt);
  }

  @Override
  public void reset() {
    timeAndCost.clear();
  }

  private void credit(long permits, Predicate<long[]> which) {
    long left = permits;
    for (long[] entry : timeAndCost) {
      if (which.test(entry)) {
        long credit = Math.min(left, entry[1]);
        entry[1] -= credit;
        left -= credit;
      }
    }
  }

  private boolean counts(long[] entry, long at) {
    return at - entry[0] < length;
  }

  private long used(long at) {
    long used = 0;
    for (long[] entry : timeAndCost) {
      used += counts(entry, at) ? entry[1] : 0;
    }
    return used;
  }
}
