package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.Window;

/**
 * A limit divided over the parts of a split key. Pure functions.
 *
 * <p>Each part has its own counter and an even share of the limit; the first parts have one permit
 * more if it does not divide evenly, so that the shares add up to the limit exactly. The bound of
 * the limit is the sum of the bounds of its parts: 10 per second in 4 parts is 3, 3, 2 and 2.
 */
public final class SplitLimit {
  /** The most parts of a key: a peek asks all of them. */
  public static final int MAX_PARTS = 64;

  private SplitLimit() {}

  /**
   * @param parts 1 or more; 1 is not split
   * @throws IllegalArgumentException if the limit cannot be divided into so many parts
   */
  public static void check(Limit limit, int parts) {
    if (parts < 1 || parts > MAX_PARTS) {
      throw new IllegalArgumentException(
          "split must be a number of parts from 1 to " + MAX_PARTS + ", was " + parts);
    }
    if (parts == 1) {
      return;
    }
    long least = Math.min(limit.permits(), limit.capacity());
    if (least < parts) {
      throw new IllegalArgumentException(
          "split must be at most the permits and the burst of the limit, was "
              + parts
              + " parts of "
              + least);
    }
    checkAlgorithm(limit);
    part(limit, parts - 1, parts); // the part with the smallest share, whose bucket fills last
  }

  private static void checkAlgorithm(Limit limit) {
    switch (limit.algorithm()) {
      case IN_FLIGHT ->
          throw new IllegalArgumentException(
              "split must be left out for requests in flight, whose slots are counted together");
      case FIXED_WINDOW -> {
        if (((Limit.FixedWindow) limit).window() instanceof Window.FromFirstUse) {
          throw new IllegalArgumentException(
              "split must be left out for windows that start at first use: parts would start"
                  + " apart");
        }
      }
      case TOKEN_BUCKET, SLIDING_WINDOW, SLIDING_LOG -> {}
    }
  }

  /** The limit of one part. */
  public static Limit part(Limit limit, int part, int parts) {
    long permits = share(limit.permits(), part, parts);
    return switch (limit.algorithm()) {
      case TOKEN_BUCKET ->
          new Limit.TokenBucket(share(limit.capacity(), part, parts), permits, limit.period());
      case FIXED_WINDOW -> new Limit.FixedWindow(permits, ((Limit.FixedWindow) limit).window());
      case SLIDING_WINDOW -> new Limit.SlidingWindow(permits, limit.period());
      case SLIDING_LOG -> new Limit.SlidingLog(permits, limit.period());
      case IN_FLIGHT -> throw new IllegalArgumentException("slots are not split");
    };
  }

  /** The share of one part: all of them add up to the whole, and differ by 1 at most. */
  public static long share(long whole, int part, int parts) {
    return whole / parts + (part < whole % parts ? 1 : 0);
  }

  /** What remains of the whole, if all parts are used as much as those that were seen. */
  public static long extrapolated(long remaining, long capacitySeen, long capacity) {
    return capacitySeen == capacity
        ? remaining
        : Math.min(capacity, MulDiv.floor(remaining, capacity, capacitySeen));
  }
}
