package dev.weir.server.envoy;

import dev.weir.Outcome;
import dev.weir.rules.DescriptorRate;
import org.jspecify.annotations.Nullable;

/**
 * What the store said about one rate of a descriptor. Immutable.
 *
 * @param remaining requests that are left now
 * @param before requests that were left before it; 0 if that is not known
 * @param outcome null if it was not asked, because nothing may pass
 */
record RateOutcome(
    DescriptorRate rate, boolean fits, long remaining, long before, @Nullable Outcome outcome) {
  /** Nothing may pass. */
  static RateOutcome blocked(DescriptorRate rate, boolean fits) {
    return new RateOutcome(rate, fits, 0, 0, null);
  }

  /**
   * Of a rate that was asked about alone.
   *
   * @param taken what it took if it fits; how much of a charge was debt is not known
   */
  static RateOutcome of(DescriptorRate rate, Outcome outcome, long taken) {
    long left = left(rate, outcome);
    boolean fits = outcome.allowed();
    return new RateOutcome(rate, fits, left, fits ? left + taken : 0, outcome);
  }

  /** Of a rate that was asked about alone, and whose hits are taken only if they fit. */
  static RateOutcome ofTaking(DescriptorRate rate, Outcome outcome, long hits) {
    long left = left(rate, outcome);
    boolean fits = outcome.allowed();
    return new RateOutcome(rate, fits, left, fits ? left + hits : left, outcome);
  }

  /** Of a rate that lets nothing pass: nothing remains, whatever its limit is. */
  static long left(DescriptorRate rate, Outcome outcome) {
    return rate.isBlocked() || outcome.claim().isBlocked() ? 0 : outcome.remaining();
  }

  boolean known() {
    return outcome == null || outcome.claim().isBlocked() || outcome.stateKnown();
  }
}
