package dev.weir.redis.internal.protocol;

/** The numbers of algorithms in claims and records of the script. */
final class AlgorithmCode {
  static final int TOKEN_BUCKET = 0;
  static final int FIXED_WINDOW = 1;
  static final int SLIDING_WINDOW = 2;
  static final int SLIDING_LOG = 3;

  /** Slots are kept beside the state, as a log is; the bit of a window's type tells them apart. */
  static final int IN_FLIGHT = SLIDING_LOG + 8;

  private AlgorithmCode() {}
}
