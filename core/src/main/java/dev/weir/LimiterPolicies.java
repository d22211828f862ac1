package dev.weir;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a limiter that is being built. A limiter's name is the rule of its policies, and
 * may be given after its limits.
 */
final class LimiterPolicies {
  private static final String DEFAULT_NAME = "limiter";

  private final List<Function<String, Policy>> policies = new ArrayList<>();
  private @Nullable String name;
  private boolean hasLimits;

  void limiterName(String newName) {
    name = newName;
  }

  void addLimit(String limitName, Limit limit, FailurePolicy onStoreFailure) {
    Policy unnamed = Policy.of(DEFAULT_NAME, limitName, limit).onStoreFailure(onStoreFailure);
    policies.add(unnamed::withRule);
    hasLimits = true;
  }

  void addPolicy(Policy policy) {
    policies.add(rule -> policy);
  }

  /** All policies under the limiter's name, checked. */
  List<Policy> named(boolean storeGiven) {
    if (policies.isEmpty()) {
      throw new IllegalArgumentException("limits must not be empty");
    }
    if (storeGiven && hasLimits && name == null) {
      throw new IllegalArgumentException(
          "name must be set when a store is given, because limiters of one name share counters");
    }
    String rule = name == null ? DEFAULT_NAME : name;
    List<Policy> named = policies.stream().map(policy -> policy.apply(rule)).toList();
    Set<List<String>> seen = new HashSet<>();
    named.forEach(policy -> check(policy, seen));
    return named;
  }

  private void check(Policy policy, Set<List<String>> seen) {
    if (name != null && !name.equals(policy.rule())) {
      throw new IllegalArgumentException(
          "policy must belong to limiter " + name + ", was " + policy.rule() + "/" + policy.name());
    }
    if (!seen.add(List.of(policy.rule(), policy.name()))) {
      throw new IllegalArgumentException(
          "policies must have different names, was " + policy.name() + " twice");
    }
  }
}
