package dev.weir;

import dev.weir.internal.Check;
import dev.weir.internal.Claims;
import dev.weir.internal.Grants;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What was taken and when: enough to give it back, to settle it, and to release or renew slots.
 * Immutable; refund it at most once.
 *
 * @param grants at least one. Grants of the same state and time are merged; slots only if their
 *     holder is the same, too. Grants of the same state and different times are given back one
 *     after the other. If not all have the same holder, only slots keep theirs.
 */
public record Receipt(List<Grant> grants) {
  public Receipt {
    grants = Grants.merged(grants);
  }

  /**
   * Permits of one claim.
   *
   * @param atMicros the store's time of the grant, which makes a refund exact: what has come back
   *     since is not given twice, and a grant whose window has passed is ignored. Without it, the
   *     current window is credited, a sliding log's oldest admissions first.
   * @param holder who holds the slots, where requests in flight are limited, and what a settlement
   *     is known by. Slots are given back to their holder alone.
   */
  public record Grant(Claim claim, OptionalLong atMicros, Optional<UUID> holder) {
    public Grant {
      Check.notNull("claim", claim);
      Check.notNull("atMicros", atMicros);
      Check.notNull("holder", holder);
    }

    /** Without a holder. */
    public Grant(Claim claim, OptionalLong atMicros) {
      this(claim, atMicros, Optional.empty());
    }

    /** Whether these are slots of requests in flight. */
    public boolean ofSlots() {
      return claim.policy().limit().algorithm() == Algorithm.IN_FLIGHT;
    }
  }

  /** Of claims that were all granted at one time; those on the same state are merged. */
  public static Receipt granted(List<Claim> claims, long atMicros) {
    return of(claims, OptionalLong.of(atMicros));
  }

  /** Of claims whose time is not known; those on the same state are merged. */
  public static Receipt undated(List<Claim> claims) {
    return of(claims, OptionalLong.empty());
  }

  /** What the store granted of these; empty if that is nothing. */
  static Optional<Receipt> of(List<Outcome> outcomes, Optional<UUID> holder) {
    List<Grant> grants = new ArrayList<>(outcomes.size());
    for (Outcome outcome : outcomes) {
      if (isGrant(outcome)) {
        grants.add(outcome.grant(holder));
      }
    }
    return grants.isEmpty() ? Optional.empty() : Optional.of(new Receipt(grants));
  }

  /** Whether the store granted this, if the question was allowed. */
  static boolean isGrant(Outcome outcome) {
    boolean taken = outcome.source() == Source.STORE || outcome.source() == Source.LEASE;
    return outcome.allowed() && taken && outcome.claim().permits() > 0;
  }

  private static Receipt of(List<Claim> claims, OptionalLong atMicros) {
    return new Receipt(
        Claims.merged(claims).stream().map(claim -> new Grant(claim, atMicros)).toList());
  }

  public List<Claim> claims() {
    return grants.stream().map(Grant::claim).toList();
  }

  /** The part of it that is slots of requests in flight; empty if there is none. */
  public Optional<Receipt> slots() {
    List<Grant> slots = grants.stream().filter(Grant::ofSlots).toList();
    return slots.isEmpty() ? Optional.empty() : Optional.of(new Receipt(slots));
  }
}
