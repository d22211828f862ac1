package dev.weir.rules;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Policy;

/**
 * One rate of a descriptor. Immutable.
 *
 * @param policy what it is counted under; its limit means nothing if {@code requests} is 0
 * @param requests the number of requests per unit; 0 lets nothing pass
 */
public record DescriptorRate(Policy policy, long requests, RateUnit unit) {
  /** Whether nothing may pass. */
  public boolean isBlocked() {
    return requests == 0;
  }

  public Claim claim(String key, long permits) {
    return isBlocked() ? Claim.blocked(policy, key) : new Claim(policy, key, permits);
  }

  public Limit limit() {
    return policy.limit();
  }
}
