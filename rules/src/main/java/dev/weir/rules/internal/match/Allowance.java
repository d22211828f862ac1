package dev.weir.rules.internal.match;

import dev.weir.Claim;
import dev.weir.Limit;
import dev.weir.Mode;
import dev.weir.Policy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a key may use: a policy's limit, everything, or nothing. Immutable. */
public sealed interface Allowance {
  /**
   * The most permits that a request may ask for: one less than a blocked claim, which asks for more
   * than any limit has.
   */
  long MAX_PERMITS = Long.MAX_VALUE - 1;

  /** The claim for a key; null if it is unlimited. */
  @Nullable Claim claim(Policy usual, String key, long permits);

  /** As in a rules file. */
  String text();

  /** The same, its policy in another mode. */
  default Allowance withMode(Mode mode) {
    return this;
  }

  record LimitedAllowance(Policy policy, String text) implements Allowance {
    @Override
    public Claim claim(Policy usual, String key, long permits) {
      return new Claim(policy, key, Math.min(permits, MAX_PERMITS));
    }

    @Override
    public Allowance withMode(Mode mode) {
      return new LimitedAllowance(policy.withMode(mode), text);
    }
  }

  record Unlimited() implements Allowance {
    @Override
    public @Nullable Claim claim(Policy usual, String key, long permits) {
      return null;
    }

    @Override
    public String text() {
      return "unlimited";
    }
  }

  /**
   * Blocked under the policy the key would have otherwise, so that its state is kept until the
   * block ends.
   */
  record Blocked() implements Allowance {
    @Override
    public Claim claim(Policy usual, String key, long permits) {
      return Claim.blocked(usual, key);
    }

    @Override
    public String text() {
      return "blocked";
    }

    /**
     * For a limit that is blocked for all keys: as large as possible, so that the state is kept.
     */
    public static Limit placeholder() {
      return Limit.fixedWindow((1L << 53) - 1, Duration.ofDays(400));
    }
  }
}
