package dev.weir.rules.internal.match;

import dev.weir.Claim;
import dev.weir.FailurePolicy;
import dev.weir.Limit;
import dev.weir.Policy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a key is given: a policy's limit, everything, or nothing. Immutable. */
public sealed interface Grant {
  /** More than any capacity, and more than any request asks for: see {@link Blocked}. */
  long BLOCKED_PERMITS = Long.MAX_VALUE;

  long MOST_PERMITS = BLOCKED_PERMITS - 1;

  /** The claim on behalf of a key; null if there is nothing to ask. */
  @Nullable Claim claim(Policy usual, String key, long permits);

  /** As in a rules file. */
  String text();

  record Limited(Policy policy, String text) implements Grant {
    @Override
    public Claim claim(Policy usual, String key, long permits) {
      return new Claim(policy, key, Math.min(permits, MOST_PERMITS));
    }
  }

  record Unlimited() implements Grant {
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
   * Asks for more than can ever be there, so that every store and every integration denies without
   * a special case, takes nothing, and says "never". The limit is the one the key would have
   * without the block: its record is left as it is, for the day the block ends. A store that fails
   * does not lift a block.
   */
  record Blocked() implements Grant {
    @Override
    public Claim claim(Policy usual, String key, long permits) {
      return new Claim(usual.onStoreFailure(FailurePolicy.DENY), key, BLOCKED_PERMITS);
    }

    @Override
    public String text() {
      return "blocked";
    }

    /** For a limit that is blocked altogether: as large as can be, to keep what was used. */
    public static Limit placeholder() {
      return Limit.fixedWindow((1L << 53) - 1, Duration.ofDays(400));
    }
  }
}
