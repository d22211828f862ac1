package dev.weir.redis.internal.protocol;

/** How the script numbers algorithms, in claims and in records. */
final class AlgorithmCode {
  static final int TOKEN_BUCKET = 0;
  static final int FIXED_WINDOW = 1;
  static final int SLIDING_WINDOW = 2;
  static final int SLIDING_LOG = 3;

  /** Kept beside the state as a log is, and told apart by the bit of a window's type. */
  static final int IN_FLIGHT = SLIDING_LOG + 8;

  private AlgorithmCode() {}
}
