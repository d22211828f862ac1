package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.arithmetic.SplitLimit;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/**
 * A named limit, how it is applied, and what happens when its store cannot answer. Immutable.
 *
 * <p>State is identified by rule and name: two policies with the same rule and name share their
 * counters, and a policy keeps what was used when its limit changes.
 *
 * @param rule what the policy belongs to: a rule of a rule set, or the limiter of that name
 * @param name unique within the rule; shown in answers and header fields
 * @param lease whether instances take permits of hot keys in advance; see {@link #withLease}
 * @param split into how many parts each key is divided; 1 for none, see {@link #withSplit}
 * @param reserveAtMostPercent see {@link #reserveAtMost}
 * @param penalty whether keys that go on asking are blocked; see {@link #withPenalty}
 */
public record Policy(
    String rule,
    String name,
    Limit limit,
    Mode mode,
    FailurePolicy onStoreFailure,
    Optional<Lease> lease,
    int split,
    OptionalInt reserveAtMostPercent,
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
    SplitLimit.check(limit, split);
    if (split > 1 && lease.isPresent()) {
      throw new IllegalArgumentException(
          "split must be left out with a lease, which asks the store rarely already");
    }
    Check.notNull("reserveAtMostPercent", reserveAtMostPercent)
        .ifPresent(percent -> Check.percent("reserveAtMost", percent));
    if (Check.notNull("penalty", penalty).isPresent()) {
      checkPenalty(mode, lease, split);
    }
  }

  private static void checkPenalty(Mode mode, Optional<Lease> lease, int split) {
    if (lease.isPresent()) {
      throw new IllegalArgumentException(
          "penalty must be left out for a leased limit, whose denials the store does not see");
    }
    if (split > 1) {
      throw new IllegalArgumentException(
          "penalty must be left out for a split limit, whose parts deny before all are used up");
    }
    if (mode == Mode.QUOTA) {
      throw new IllegalArgumentException(
          "penalty must be left out for a quota, which does not deny by itself");
    }
  }

  /** One request may take all of the limit, and there is no penalty. */
  public Policy(
      String rule,
      String name,
      Limit limit,
      Mode mode,
      FailurePolicy onStoreFailure,
      Optional<Lease> lease,
      int split) {
    this(
        rule,
        name,
        limit,
        mode,
        onStoreFailure,
        lease,
        split,
        OptionalInt.empty(),
        Optional.empty());
  }

  /** Without leases and penalties, and not split. */
  public Policy(String rule, String name, Limit limit, Mode mode, FailurePolicy onStoreFailure) {
    this(rule, name, limit, mode, onStoreFailure, Optional.empty(), 1);
  }

  /** Enforced; requests are allowed when the store fails. */
  public static Policy of(String rule, String name, Limit limit) {
    return new Policy(rule, name, limit, Mode.ENFORCE, FailurePolicy.ALLOW);
  }

  Policy withRule(String newRule) {
    return with(copy -> copy.rule = newRule);
  }

  public Policy withMode(Mode newMode) {
    return with(copy -> copy.mode = newMode);
  }

  public Policy onStoreFailure(FailurePolicy newPolicy) {
    return with(copy -> copy.onStoreFailure = newPolicy);
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
    return with(copy -> copy.lease = Optional.of(newLease));
  }

  /**
   * Divides each key into parts that count on their own, each with its share of the limit, so that
   * several servers of a Redis Cluster can serve one key. One part, chosen at random, decides a
   * request. So the limit is never exceeded, but a request may be denied while other parts have
   * permits left. A request for more permits than a part has is always denied.
   *
   * @param parts 2 to 64, at most the permits of the limit; 1 for not split
   * @throws IllegalArgumentException for requests in flight, for windows that start at first use,
   *     and together with a lease or a penalty
   */
  public Policy withSplit(int parts) {
    return with(copy -> copy.split = parts);
  }

  /**
   * Bounds what a single request can take, so that one large reservation does not lock out all
   * others. A request for more is denied and can never pass. Charges and settlements, which come
   * after the fact, are not bounded.
   *
   * @param percent of the capacity, from 1 to 100; the number of permits is rounded down, to 1 at
   *     least
   */
  public Policy reserveAtMost(int percent) {
    return with(copy -> copy.reserveAtMostPercent = OptionalInt.of(percent));
  }

  /** The most permits that one request can take: the capacity, or a share of it. */
  public long mostPerRequest() {
    long capacity = limit.capacity();
    return reserveAtMostPercent.isEmpty()
        ? capacity
        : Math.max(1, capacity * reserveAtMostPercent.getAsInt() / 100);
  }

  /**
   * Blocks keys that go on asking after they were denied.
   *
   * @throws IllegalArgumentException for a policy that is leased or split, and for a quota
   */
  public Policy withPenalty(Penalty newPenalty) {
    return with(copy -> copy.penalty = Optional.of(newPenalty));
  }

  /** Whether a claim that does not fit denies the request by itself. */
  public boolean enforced() {
    return mode == Mode.ENFORCE;
  }

  /** Whether it only counts, and never denies. */
  public boolean shadow() {
    return mode == Mode.SHADOW;
  }

  /** Uses only the names, whose hashes are cached: stores look policies up for every claim. */
  @Override
  public int hashCode() {
    return 31 * rule.hashCode() + name.hashCode();
  }

  private Policy with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.toPolicy();
  }

  /** The components of a policy, to be changed before they are checked again. */
  private static final class Copy {
    private final String name;
    private final Limit limit;
    private String rule;
    private Mode mode;
    private FailurePolicy onStoreFailure;
    private Optional<Lease> lease;
    private int split;
    private OptionalInt reserveAtMostPercent;
    private Optional<Penalty> penalty;

    Copy(Policy policy) {
      rule = policy.rule;
      name = policy.name;
      limit = policy.limit;
      mode = policy.mode;
      onStoreFailure = policy.onStoreFailure;
      lease = policy.lease;
      split = policy.split;
      reserveAtMostPercent = policy.reserveAtMostPercent;
      penalty = policy.penalty;
    }

    Policy toPolicy() {
      return new Policy(
          rule, name, limit, mode, onStoreFailure, lease, split, reserveAtMostPercent, penalty);
    }
  }
}
