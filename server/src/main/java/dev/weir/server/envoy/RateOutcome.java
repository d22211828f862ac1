package dev.weir.server.envoy;

import dev.weir.Outcome;
import dev.weir.rules.DescriptorRate;
import org.jspecify.annotations.Nullable;

/**
 * What the store said about one rate of a descriptor. Immutable.
 *
 * @param outcome null if it was not asked, because nothing may pass
 */
record RateOutcome(DescriptorRate rate, boolean fits, long remaining, @Nullable Outcome outcome) {
  static RateOutcome of(DescriptorRate rate, Outcome outcome) {
    boolean blocked = rate.isBlocked() || outcome.claim().isBlocked();
    return new RateOutcome(rate, outcome.allowed(), blocked ? 0 : outcome.remaining(), outcome);
  }

  boolean known() {
    return outcome == null || outcome.claim().isBlocked() || outcome.stateKnown();
  }
}
