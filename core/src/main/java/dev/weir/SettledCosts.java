package dev.weir;

import java.util.List;

/** Finds what a granted claim cost among claims that name costs. */
final class SettledCosts {
  private SettledCosts() {}

  /** The cost for the state of a claim; the claim's own permits if no cost is given. */
  static long of(Claim granted, List<Claim> costs) {
    for (Claim cost : costs) {
      if (cost.sameState(granted)) {
        return cost.permits();
      }
    }
    return granted.permits();
  }
}
