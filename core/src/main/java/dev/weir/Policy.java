package dev.weir;

import dev.weir.internal.Check;
import java.time.Duration;
import java.util.Optional;

/**
 * A named limit, how it is applied, and what happens when its store cannot answer. Immutable.
 *
 * <p>State belongs to the names: two policies with the same rule and name share their counters, and
 * a policy whose limit changes keeps what was used.
 *
 * @param rule what the policy belongs to: a rule of a rule set, or the limiter of that name
 * @param name unique within the rule; shown in answers and header fields
 * @param lease whether instances take permits of hot keys in advance; see {@link #withLease}
 * @param penalty whether keys that go on asking are blocked; see {@link #withPenalty}
 */
public record Policy(
    String rule,
    String name,
    Limit limit,
    Mode mode,
    FailurePolicy onStoreFailure,
    Optional<Lease> lease,
    Optional<Penalty> penalty) {

  public Policy {
    Check.notBlank("rule", rule);
    Check.notBlank("name", name);
    Check.notNull("limit", limit);
    Check.notNull("mode", mode);
    Check.notNull("onStoreFailure", onStoreFailure);
    if (Check.notNull("lease", lease).isPresent()) {
      Lease.checkAlgorithm(limit);
    }
    if (Check.notNull("penalty", penalty).isPresent()) {
      checkPenalty(mode, lease);
    }
  }

  private static void checkPenalty(Mode mode, Optional<Lease> lease) {
    if (lease.isPresent()) {
      throw new IllegalArgumentException(
          "penalty must be left out for a leased limit, whose denials the store does not see");
    }
    if (mode == Mode.QUOTA) {
      throw new IllegalArgumentException(
          "penalty must be left out for a quota, which does not deny by itself");
    }
  }

  /** Without penalty. */
  public Policy(
      String rule,
      String name,
      Limit limit,
      Mode mode,
      FailurePolicy onStoreFailure,
      Optional<Lease> lease) {
    this(rule, name, limit, mode, onStoreFailure, lease, Optional.empty());
  }

  /** Without lease and penalty. */
  public Policy(String rule, String name, Limit limit, Mode mode, FailurePolicy onStoreFailure) {
    this(rule, name, limit, mode, onStoreFailure, Optional.empty());
  }

  /** Enforced; requests are allowed when the store fails. */
  public static Policy of(String rule, String name, Limit limit) {
    return new Policy(rule, name, limit, Mode.ENFORCE, FailurePolicy.ALLOW);
  }

  Policy withRule(String newRule) {
    return new Policy(newRule, name, limit, mode, onStoreFailure, lease, penalty);
  }

  public Policy withMode(Mode newMode) {
    return new Policy(rule, name, limit, newMode, onStoreFailure, lease, penalty);
  }

  public Policy onStoreFailure(FailurePolicy newPolicy) {
    return new Policy(rule, name, limit, mode, newPolicy, lease, penalty);
  }

  /**
   * Leases permits of hot keys: a {@link GuardedStore} takes them from its store in advance, spends
   * them in this process, and asks the store about once in the period. The limit still holds.
   *
   * @throws IllegalArgumentException for a sliding log, which cannot be leased
   */
  public Policy withLease(Duration period) {
    return withLease(Lease.every(period));
  }

  public Policy withLease(Lease newLease) {
    return new Policy(rule, name, limit, mode, onStoreFailure, Optional.of(newLease), penalty);
  }

  /**
   * Blocks keys that go on asking after they were denied.
   *
   * @throws IllegalArgumentException for a policy that is leased, and for a quota
   */
  public Policy withPenalty(Penalty newPenalty) {
    return new Policy(rule, name, limit, mode, onStoreFailure, lease, Optional.of(newPenalty));
  }

  /** Whether a claim on it that does not fit denies the request by itself. */
  public boolean enforced() {
    return mode == Mode.ENFORCE;
  }

  /** Whether it only counts, and never denies. */
  public boolean shadow() {
    return mode == Mode.SHADOW;
  }

  /** From the names alone, whose hashes are cached: stores look policies up for every claim. */
  @Override
  public int hashCode() {
    return 31 * rule.hashCode() + name.hashCode();
  }
}
