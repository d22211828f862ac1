package dev.weir;

import dev.weir.internal.Check;

/**
 * One line of a question: these permits, of this policy, for this key. Immutable.
 *
 * @param key any text, the empty one too
 * @param permits 0 or more; 0 asks without taking
 */
public record Claim(Policy policy, String key, long permits) {
  public Claim {
    Check.notNull("policy", policy);
    Check.notNull("key", key);
    Check.requestPermits(permits);
  }

  public static Claim of(Policy policy, String key) {
    return new Claim(policy, key, 1);
  }

  /** Whether both draw on the same state. */
  public boolean sameState(Claim other) {
    return key.equals(other.key)
        && policy.name().equals(other.policy.name())
        && policy.rule().equals(other.policy.rule());
  }
}
