package dev.weir;

import dev.weir.internal.BoundedKey;
import dev.weir.internal.Check;

/**
 * One line of a question: these permits, of this policy, for this key. Immutable.
 *
 * @param key any text, also empty; a key over 256 characters is replaced by {@code #} and a digest
 * @param permits 0 or more; 0 asks without taking
 */
public record Claim(Policy policy, String key, long permits) {
  private static final long BLOCKED = Long.MAX_VALUE;

  public Claim {
    Check.notNull("policy", policy);
    key = BoundedKey.of(Check.notNull("key", key));
    Check.requestPermits(permits);
  }

  public static Claim of(Policy policy, String key) {
    return new Claim(policy, key, 1);
  }

  /**
   * A claim that never fits, whatever the limit: for a key that is to be denied always.
   *
   * <p>It asks for more permits than any capacity, so that every store denies it, takes nothing and
   * leaves what was used as it is. A store that fails does not lift the block.
   */
  public static Claim blocked(Policy policy, String key) {
    return new Claim(policy.onStoreFailure(FailurePolicy.DENY), key, BLOCKED);
  }

  /** Whether it asks for more than any limit has, as a blocked claim does. */
  public boolean isBlocked() {
    return permits == BLOCKED;
  }

  /** Whether it asks for more than one request can ever take, without being blocked. */
  public boolean asksTooMuch() {
    return !isBlocked() && permits > policy.mostPerRequest();
  }

  /** Whether both draw on the same state. */
  public boolean sameState(Claim other) {
    return key.equals(other.key)
        && policy.name().equals(other.policy.name())
        && policy.rule().equals(other.policy.rule());
  }
}
