package dev.weir.redis.internal.protocol;

import dev.weir.Policy;
import java.util.concurrent.ConcurrentHashMap;

/** Encodes each policy once, and refuses limits that the script could not tell apart. */
public final class EncodedPolicyCache {
  /** The cache is cleared when it holds this many versions of policies. */
  private static final int MAX_VERSIONS = 100_000;

  private final ConcurrentHashMap<Policy, EncodedPolicy> policies = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Identity, String> nameOf = new ConcurrentHashMap<>();

  private record Identity(String rule, int identity) {}

  public EncodedPolicy encode(Policy policy) {
    EncodedPolicy known = policies.get(policy);
    if (known != null) {
      return known;
    }
    if (policies.size() >= MAX_VERSIONS) {
      policies.clear();
      nameOf.clear();
    }
    EncodedPolicy encoded = new EncodedPolicy(policy);
    refuseCollision(encoded);
    policies.put(policy, encoded);
    return encoded;
  }

  private void refuseCollision(EncodedPolicy encoded) {
    Policy policy = encoded.policy;
    String first = nameOf.putIfAbsent(new Identity(policy.rule(), encoded.identity), policy.name());
    if (first != null && !first.equals(policy.name())) {
      throw new IllegalArgumentException(
          "limits of rule "
              + policy.rule()
              + " must have names with different hashes, was "
              + first
              + " and "
              + policy.name()
              + "; rename one");
    }
  }
}
