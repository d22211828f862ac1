package dev.weir.internal.arithmetic;

/**
 * Exact {@code a * b / m} where the product may need more than 64 bits.
 *
 * <p>A limit of a million per day asks for products of 8.6e16, still a long; nine million per 30
 * days can ask for 2.3e19, which is not. The common case costs one multiplication and a division.
 */
final class MulDiv {
  private MulDiv() {}

  /**
   * The quotient, rounded down.
   *
   * @param a 0 or more
   * @param b 0 or more
   * @param m between 1 and 2^62; the quotient must fit into a long
   */
  static long floor(long a, long b, long m) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    return high == 0 && low >= 0 ? low / m : divide(high, low, m);
  }

  /** The quotient, rounded up. */
  static long ceil(long a, long b, long m) {
    long quotient = floor(a, b, m);
    return quotient * m == a * b ? quotient : quotient + 1;
  }

  /** What is left of {@code a * b} after {@link #floor}: between 0 and m - 1. */
  static long rest(long a, long b, long m) {
    return a * b - floor(a, b, m) * m; // both sides wrap alike, and the difference is below m
  }

  /** Long division, bit by bit, of a 128-bit number whose quotient fits into 64 bits. */
  private static long divide(long high, long low, long m) {
    long rest = high;
    long quotient = 0;
    for (int bit = 63; bit >= 0; bit--) {
      rest = rest << 1 | low >>> bit & 1;
      quotient <<= 1;
      if (rest >= m) {
        rest -= m;
        quotient |= 1;
      }
    }
    return quotient;
  }
}
