package dev.weir.model;

import dev.weir.Limit;
import java.math.BigInteger;

/**
 * What one key may do under one limit, straight from the definitions and as slow as they are.
 *
 * <p>It knows only what has been used, whether permits fit and whether the key is fresh. The other
 * answers follow: the remaining permits are the most that fit, a wait is the first after which
 * something is true. All of these are monotone in time, so an answer is right if it holds and the
 * one next to it does not.
 */
public interface Model {
  BigInteger MOST_COUNTED = BigInteger.valueOf((1L << 53) - 1);

  boolean fits(long at, long permits);

  /** Whether the key is like one that was never used. */
  boolean fresh(long at);

  void take(long at, long permits);

  /** Takes what keeps the use within two capacities, and windows' within 2^53 - 1; if any. */
  boolean charge(long at, long permits, boolean debt);

  /** Whether anything was given back. */
  boolean refund(long at, long permits);

  /** Whether anything was given back. */
  boolean refundGrant(long at, long permits, long grantedAt);

  /** Permits in use, exactly: the numerator and the denominator of a fraction. */
  BigInteger[] used(long at);

  /** Takes over what another limit has in use, as if it had been taken here at that time. */
  void adopt(Model writer, long writtenAt);

  /** In use, in whole permits, as far as they are counted. */
  static long wholeUsed(Model writer, long at) {
    BigInteger[] used = writer.used(at);
    return ceil(used[0], used[1]).min(MOST_COUNTED).longValueExact();
  }

  static BigInteger ceil(BigInteger a, BigInteger b) {
    return a.add(b).subtract(BigInteger.ONE).divide(b);
  }

  /** With debt as far as a charge goes, without it as far as permits are there. */
  static long mostUsed(long capacity, boolean debt) {
    return debt ? Math.min(2 * capacity, (1L << 53) - 1) : capacity;
  }

  static Model of(Limit limit) {
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET -> new BucketModel((Limit.TokenBucket) limit);
      case FIXED_WINDOW -> new FixedWindowModel((Limit.FixedWindow) limit);
      case SLIDING_WINDOW -> new SlidingWindowModel((Limit.SlidingWindow) limit);
      case SLIDING_LOG -> new SlidingLogModel((Limit.SlidingLog) limit);
      case IN_FLIGHT -> throw new IllegalArgumentException("HeldSlotsModelTest has its model");
    };
  }
}
