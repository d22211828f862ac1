package dev.weir.redis.internal.protocol;

import dev.weir.Policy;
import java.util.concurrent.ConcurrentHashMap;

/** Bound policies, made once each; refuses two limits that the script could not tell apart. */
public final class EncodedPolicyCache {
  /** A cache: beyond this many versions of policies it starts again. */
  private static final int MOST = 100_000;

  private final ConcurrentHashMap<Policy, EncodedPolicy> bound = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Identity, String> nameOf = new ConcurrentHashMap<>();

  private record Identity(String rule, int identity) {}

  public EncodedPolicy bind(Policy policy) {
    EncodedPolicy known = bound.get(policy);
    if (known != null) {
      return known;
    }
    if (bound.size() >= MOST) {
      bound.clear();
      nameOf.clear();
    }
    EncodedPolicy binding = new EncodedPolicy(policy);
    refuseCollision(binding);
    bound.put(policy, binding);
    return binding;
  }

  private void refuseCollision(EncodedPolicy binding) {
    Policy policy = binding.policy;
    String first = nameOf.putIfAbsent(new Identity(policy.rule(), binding.identity), policy.name());
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
