package dev.weir.redis.internal.protocol;

import dev.weir.spi.Verdict;

/** The state of one claim as the script reported it, to take from and to answer from. */
interface ClaimState {
  /** Takes permits that the script has taken as well. */
  void take(long permits);

  /** The answer for a claim of these permits whose outcome is known. */
  Verdict verdict(long permits, boolean fits);

  /** The answer for a charge of these permits, which was taken: it fits if no debt is left. */
  Verdict chargeVerdict(long permits);
}
