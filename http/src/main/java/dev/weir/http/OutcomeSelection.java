package dev.weir.http;

import dev.weir.Decision;
import dev.weir.Outcome;
import dev.weir.Policy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Selects the outcomes of a decision that a client is shown. */
final class OutcomeSelection {
  private OutcomeSelection() {}

  /**
   * One for each policy that can deny, in the order asked. Of a policy asked for several keys, the
   * outcome that holds the request back the most.
   */
  static Collection<Outcome> shown(Decision decision) {
    if (decision.outcomes().size() == 1) {
      Outcome only = decision.outcomes().get(0);
      return only.policy().shadow() ? List.of() : List.of(only);
    }
    Map<Policy, Outcome> shown = new LinkedHashMap<>();
    for (Outcome outcome : decision.outcomes()) {
      if (!outcome.policy().shadow()) {
        shown.merge(outcome.policy(), outcome, OutcomeSelection::tighter);
      }
    }
    return shown.values();
  }

  static List<Outcome> denying(Decision decision) {
    return decision.denying();
  }

  /** Whether the state is known; for a blocked key it does not matter. */
  static boolean known(Outcome outcome) {
    return outcome.claim().isBlocked() || outcome.stateKnown();
  }

  /** Permits left for a client: none of a blocked key, whatever its limit has. */
  static long remaining(Outcome outcome) {
    return outcome.claim().isBlocked() ? 0 : outcome.remaining();
  }

  /**
   * The tighter outcome for a client: the one with the longer wait, else the one with less
   * remaining.
   */
  static Outcome tighter(Outcome one, Outcome other) {
    int longerWait = one.retryAfter().compareTo(other.retryAfter());
    if (longerWait != 0) {
      return longerWait > 0 ? one : other;
    }
    return remaining(other) < remaining(one) ? other : one;
  }
}
