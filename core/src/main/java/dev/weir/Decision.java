package dev.weir;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request for permits: for all claims together, and for each. Immutable.
 *
 * <p>Allowed means that every enforced claim fits, and of quota claims at least one; then the
 * permits are taken. A denied request has taken nothing.
 */
public final class Decision {
  /** The wait of a request that can never pass, because it asks for more than a capacity. */
  public static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

  /** The answer to a request that no limit applies to. */
  static final Decision UNLIMITED = new Decision(true, List.of(), false);

  private final boolean allowed;
  private final List<Outcome> outcomes;
  private final boolean acquired;
  private final boolean repeated;

  /** Made when a receipt is asked for, unless the store knows it. */
  private volatile @Nullable UUID holder;

  Decision(boolean allowed, List<Outcome> outcomes, boolean acquired) {
    this(allowed, outcomes, acquired, Optional.empty(), false);
  }

  Decision(
      boolean allowed,
      List<Outcome> outcomes,
      boolean acquired,
      Optional<UUID> holder,
      boolean repeated) {
    this.allowed = allowed;
    this.outcomes = outcomes;
    this.acquired = acquired;
    this.repeated = repeated;
    this.holder = holder.orElse(null);
  }

  /** The decision on the only claim of an acquisition, answered by the store. */
  static Decision of(Outcome outcome) {
    return new Decision(outcome.allowed(), List.of(outcome), true);
  }

  /**
   * Combines the outcomes of several decisions about one request into one answer, for integrations
   * whose protocol needs that. It has no receipt.
   */
  public static Decision combined(boolean allowed, List<Outcome> outcomes) {
    return new Decision(allowed, List.copyOf(outcomes), false);
  }

  public boolean allowed() {
    return allowed;
  }

  /**
   * Whether this answer was given before, to the same {@link RequestId}. The first answer has taken
   * the permits then. A repeated denial was decided again.
   */
  public boolean repeated() {
    return repeated;
  }

  /**
   * Permits another request could take at this instant: the least of all enforced limits and of the
   * fullest quota.
   */
  public long remaining() {
    long least = QuotaOutcomes.remaining(outcomes);
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
    Outcome longest = longestWait();
    return longest == null ? Duration.ZERO : longest.retryAfter();
  }

  /**
   * {@link #retryAfter} for a Retry-After field: whole seconds, rounded up; 0 if allowed, at least
   * 1 if denied, empty if the request can never pass.
   */
  public OptionalLong retryAfterSeconds() {
    Duration wait = retryAfter();
    if (wait.equals(NEVER)) {
      return OptionalLong.empty();
    }
    long seconds = wait.getSeconds() + (wait.getNano() > 0 ? 1 : 0);
    return OptionalLong.of(allowed ? 0 : Math.max(1, seconds));
  }

  /** Until every limit that can deny is fresh again, if nobody uses it. */
  public Duration resetAfter() {
    Duration longest = Duration.ZERO;
    for (Outcome outcome : outcomes) {
      if (!outcome.policy().shadow() && outcome.resetAfter().compareTo(longest) > 0) {
        longest = outcome.resetAfter();
      }
    }
    return longest;
  }

  /** The denying claim to wait for: of several, the one with the longest wait. */
  public Optional<Outcome> deniedBy() {
    return Optional.ofNullable(longestWait());
  }

  private @Nullable Outcome longestWait() {
    if (allowed) {
      return null; // also for a charge that went into debt
    }
    Outcome longest = QuotaOutcomes.deny(outcomes) ? QuotaOutcomes.firstBack(outcomes) : null;
    for (Outcome outcome : outcomes) {
      if (outcome.denies()
          && (longest == null || outcome.retryAfter().compareTo(longest.retryAfter()) > 0)) {
        longest = outcome;
      }
    }
    return longest;
  }

  /** The outcomes that deny: enforced ones that do not fit, and the quotas if none of them fits. */
  public List<Outcome> denying() {
    if (allowed) {
      return List.of();
    }
    boolean quotasRefuse = QuotaOutcomes.deny(outcomes);
    return outcomes.stream()
        .filter(outcome -> outcome.denies() || quotasRefuse && outcome.isQuota())
        .toList();
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
   * nothing, and for a charge, which may have taken less than requested.
   */
  public Optional<Receipt> receipt() {
    return allowed && acquired
        ? Receipt.of(outcomes, Optional.of(knownHolder()))
        : Optional.empty();
  }

  /** The id of the settlement, the same in every receipt of this decision. */
  private UUID knownHolder() {
    UUID known = holder;
    if (known == null) {
      synchronized (this) {
        known = holder == null ? SettlementIds.next() : holder;
        holder = known;
      }
    }
    return known;
  }

  /**
   * Whether the wait of this denial is an upper bound: requests in flight may end before. Then only
   * slots are missing, and every other limit would let the request pass.
   */
  public boolean endsWithRelease() {
    return !allowed && denying().stream().allMatch(Decision::isOfSlots);
  }

  private static boolean isOfSlots(Outcome outcome) {
    return outcome.policy().limit().algorithm() == Algorithm.IN_FLIGHT
        && !outcome.retryAfter().equals(NEVER);
  }

  @Override
  public String toString() {
    return (allowed ? "allowed " : "denied ") + outcomes;
  }
}
