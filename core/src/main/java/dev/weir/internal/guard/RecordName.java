package dev.weir.internal.guard;

import dev.weir.Claim;

/** What state a claim draws on. */
record RecordName(String rule, String name, String key) {
  static RecordName of(Claim claim) {
    return new RecordName(claim.policy().rule(), claim.policy().name(), claim.key());
  }
}
