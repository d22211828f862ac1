package dev.weir.internal.penalty;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Penalty;
import dev.weir.Policy;
import dev.weir.Window;
import dev.weir.internal.Micros;
import java.time.Duration;
import java.util.List;

/**
 * The limits that a store keeps beside a limit with a penalty, for each of its keys.
 *
 * <p>{@code denials} is a window from first use, from which each denial takes a permit. {@code
 * level} is a bucket of one permit per step of growth, one of which comes back every {@code
 * atMost}. {@code block} is a bucket whose permits are microseconds: a charge takes its whole
 * capacity plus the length of the block. Until that debt is paid, not even 0 permits fit. So a
 * claim on 0 permits denies, takes nothing, and has the rest of the block as its wait.
 */
record PenaltyPolicies(Penalty penalty, Policy denials, Policy block, Policy level) {
  private static final Duration UNIT = Duration.ofNanos(1000);

  /**
   * @param policy a policy with a penalty. The block has the same mode: in shadow, neither denies
   */
  static PenaltyPolicies of(Policy policy) {
    Penalty penalty = policy.penalty().orElseThrow();
    Limit denials =
        new Limit.FixedWindow(penalty.denials(), new Window.FromFirstUse(penalty.period()));
    Limit block = new Limit.TokenBucket(Micros.of(penalty.atMost()), 1, UNIT);
    Limit level = new Limit.TokenBucket(penalty.steps(), 1, penalty.atMost());
    return new PenaltyPolicies(
        penalty,
        beside(policy, "~denials", denials),
        beside(policy, "~block", block).withMode(policy.mode()),
        beside(policy, "~level", level));
  }

  private static Policy beside(Policy policy, String suffix, Limit limit) {
    return Policy.of(policy.rule(), policy.name() + suffix, limit);
  }

  /** Fits unless the key is blocked; takes nothing. */
  Claim notBlocked(String key) {
    return new Claim(block, key, 0);
  }

  /** Counts one denial, unless the key is blocked, and reads the level. */
  List<Claim> oneDenial(String key) {
    Claim notBlocked = new Claim(block.withMode(Mode.ENFORCE), key, 0);
    return List.of(Claim.of(denials, key), notBlocked, new Claim(level, key, 0));
  }

  List<Claim> all(String key) {
    return List.of(new Claim(denials, key, 0), notBlocked(key), new Claim(level, key, 0));
  }
}
