package dev.weir.redis.internal.protocol;

import dev.weir.spi.Verdict;

/** The state of one claim as the script reported it, from which verdicts are derived. */
interface ClaimState {
  /** Takes the permits that the script has taken in the server's state. */
  void take(long permits);

  /** The answer for a claim of these permits whose outcome is known. */
  Verdict verdict(long permits, boolean fits);

  /** The answer for a charge of these permits that was taken: it fits if it left no debt. */
  Verdict chargeVerdict(long permits);
}
