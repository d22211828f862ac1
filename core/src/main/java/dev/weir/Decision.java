package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The answer to one request for permits: for all claims together, and for each. Immutable.
 *
 * <p>Allowed means that every enforced claim fits; then the permits are taken. A denied request has
 * taken nothing.
 */
public final class Decision {
  /** The wait of a request that can never pass, because it asks for more than a capacity. */
  public static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

  private final boolean allowed;
  private final OptionalLong grantedAtMicros;
  private final List<Outcome> outcomes;

  Decision(boolean allowed, OptionalLong grantedAtMicros, List<Outcome> outcomes) {
    this.allowed = allowed;
    this.grantedAtMicros = grantedAtMicros;
    this.outcomes = outcomes;
  }

  public boolean allowed() {
    return allowed;
  }

  /** Permits another request could take at this instant: the least of all enforced limits. */
  public long remaining() {
    long least = Long.MAX_VALUE;
    for (Outcome outcome : outcomes) {
      if (outcome.policy().enforced()) {
        least = Math.min(least, outcome.remaining());
      }
    }
    return least;
  }

  /**
   * The smallest wait after which the same request passes if nobody else asks: zero if it is
   * allowed, {@link #NEVER} if it asks for more than a limit's capacity.
   */
  public Duration retryAfter() {
    Duration longest = Duration.ZERO;
    for (Outcome outcome : outcomes) {
      if (outcome.denies() && outcome.retryAfter().compareTo(longest) > 0) {
        longest = outcome.retryAfter();
      }
    }
    return longest;
  }

  /** Until every enforced limit is fresh again, if nobody uses it. */
  public Duration resetAfter() {
    Duration longest = Duration.ZERO;
    for (Outcome outcome : outcomes) {
      if (outcome.policy().enforced() && outcome.resetAfter().compareTo(longest) > 0) {
        longest = outcome.resetAfter();
      }
    }
    return longest;
  }

  /** The denying claim to wait for: of several, the one with the longest wait. */
  public Optional<Outcome> deniedBy() {
    Outcome longest = null;
    for (Outcome outcome : outcomes) {
      if (outcome.denies()
          && (longest == null || outcome.retryAfter().compareTo(longest.retryAfter()) > 0)) {
        longest = outcome;
      }
    }
    return Optional.ofNullable(longest);
  }

  /** One per claim, in the order asked; claims on the same state are answered as one. */
  public List<Outcome> outcomes() {
    return outcomes;
  }

  /** {@link Source#STORE} unless any claim was answered by another. */
  public Source source() {
    for (Outcome outcome : outcomes) {
      if (outcome.source() != Source.STORE) {
        return outcome.source();
      }
    }
    return Source.STORE;
  }

  /**
   * What this decision took from the store: to be given back at most once. Empty if it took
   * nothing, and for a charge, which may have taken less than it was asked to.
   */
  public Optional<Receipt> receipt() {
    if (!allowed || grantedAtMicros.isEmpty()) {
      return Optional.empty();
    }
    List<Claim> taken =
        outcomes.stream()
            .filter(outcome -> outcome.allowed() && outcome.source() == Source.STORE)
            .map(Outcome::claim)
            .filter(claim -> claim.permits() > 0)
            .toList();
    return taken.isEmpty() ? Optional.empty() : Optional.of(new Receipt(taken, grantedAtMicros));
  }

  @Override
  public String toString() {
    return (allowed ? "allowed " : "denied ") + outcomes;
  }
}
