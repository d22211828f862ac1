package dev.weir.internal.penalty;

import dev.weir.Source;
import dev.weir.spi.Verdict;

/** The verdict of a limit for a key that is blocked by its penalty. */
final class PenaltyVerdict {
  private PenaltyVerdict() {}

  /**
   * @param blocked the answer to the claim that does not fit while the key is blocked
   */
  static Verdict of(Verdict ofLimit, Verdict blocked) {
    return of(ofLimit, blocked.atMicros(), blocked.retryAfterMicros());
  }

  /** Both must pass: the wait is that for the block, or for the limit if that is longer. */
  static Verdict of(Verdict ofLimit, long atMicros, long leftMicros) {
    long wait = ofLimit.isFailure() ? leftMicros : longer(ofLimit.retryAfterMicros(), leftMicros);
    return new Verdict(
        atMicros,
        false,
        0,
        wait,
        Math.max(ofLimit.resetAfterMicros(), leftMicros),
        Source.PENALTY,
        null);
  }

  private static long longer(long oneMicros, long otherMicros) {
    return oneMicros == Verdict.NEVER ? oneMicros : Math.max(oneMicros, otherMicros);
  }
}
