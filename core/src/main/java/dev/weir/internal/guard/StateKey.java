package dev.weir.internal.guard;

import dev.weir.Claim;

/** Identifies the state that a claim draws on. */
record StateKey(String rule, String name, String key) {
  static StateKey of(Claim claim) {
    return new StateKey(claim.policy().rule(), claim.policy().name(), claim.key());
  }
}
