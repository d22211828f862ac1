package dev.weir.internal.memory;

import dev.weir.Claim;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.Grants.Origin;
import dev.weir.internal.arithmetic.InFlightMeter;
import dev.weir.internal.arithmetic.State;
import dev.weir.internal.memory.BoundPolicy.ViewedState;
import dev.weir.spi.Operation;
import dev.weir.spi.Verdict;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One claim of a question while its state is held. Not safe for many threads. */
final class LockedClaim {
  final Claim claim;
  private final BoundPolicy policy;
  private final boolean readsOnly;

  private @Nullable LockedState held;
  private @Nullable ViewedState viewed;
  private @Nullable StoreUnavailableException failure;
  private boolean fits;
  private boolean charged;
  private boolean firstWarning;
  private long permits;

  LockedClaim(Claim claim, BoundPolicy policy, boolean readsOnly) {
    this.claim = claim;
    this.policy = policy;
    this.readsOnly = readsOnly;
    this.permits = claim.permits();
  }

  /** Locks the state. For a claim that only reads a key without state, nothing is locked. */
  void hold(long now) {
    try {
      if (readsOnly && policy.table.find(claim.key()) == null) {
        return;
      }
      held = policy.table.hold(claim.key(), policy.meter, now);
    } catch (StoreUnavailableException full) {
      failure = full;
    }
  }

  /** False if nothing was locked because the key had no state, and it has one now. */
  boolean isLockedOrStillAbsent() {
    return held != null || failure != null || policy.table.find(claim.key()) == null;
  }

  /** Makes the state readable under the claim's own limit. */
  void open(long now) {
    if (failure == null) {
      viewed =
          held == null ? ViewedState.own(LockedState.of(policy.meter)) : policy.view(held, now);
    }
  }

  boolean failed() {
    return failure != null;
  }

  void weigh(Operation operation, long now) {
    charged = operation == Operation.CHARGE;
    fits =
        operation == Operation.CHARGE
            || !failed() && policy.meter.fits(opened().state(), now, claim.permits());
    if (fits && !failed() && !readsOnly) {
      reserveRoom(now);
    }
  }

  private void reserveRoom(long now) {
    try {
      if (held != null) {
        policy.reserve(claim.key(), held, now);
      }
    } catch (StoreUnavailableException full) {
      failure = full;
    }
  }

  boolean denies() {
    return !fits && !failed() && claim.policy().enforced();
  }

  void take(Operation operation, long now, Optional<UUID> holder) {
    if (failed() || !fits || readsOnly) {
      return;
    }
    boolean warned = policy.meter.warned(opened().state(), now);
    if (operation != Operation.CHARGE) {
      policy.take(opened().state(), now, claim.permits(), holder);
      viewed = opened().written(policy.meter);
    } else if (charge(now, claim.permits())) {
      viewed = opened().written(policy.meter);
    }
    firstWarning = !warned && policy.meter.warned(opened().state(), now);
  }

  /** A shadow claim does not go into debt, which would deny requests once it is enforced. */
  private boolean charge(long now, long permits) {
    return policy.meter.charge(opened().state(), now, permits, !claim.policy().shadow());
  }

  /** How many times the permits of this claim fit. */
  long fitting(long now) {
    long permits = claim.permits();
    if (permits == 0) {
      return fits ? Long.MAX_VALUE : 0;
    }
    return policy.meter.remaining(opened().state(), now) / permits;
  }

  /** Takes the permits this many times, or as often as they fit. */
  void takeRepeatedly(long times, long now) {
    if (failed() || readsOnly) {
      return;
    }
    long taken = Math.min(times, fitting(now));
    if (taken > 0) {
      boolean warned = policy.meter.warned(opened().state(), now);
      policy.meter.take(opened().state(), now, taken * claim.permits());
      viewed = opened().written(policy.meter);
      firstWarning = !warned && policy.meter.warned(opened().state(), now);
    }
  }

  /**
   * Sets what the verdict is about: the last question if all were taken, else the first denied one.
   */
  void weighNext(boolean allTaken, long now) {
    fits = !failed() && (allTaken && fits || fitting(now) > 0);
  }

  /** Gives permits back that were granted by a decision. */
  void refund(long now, Origin origin, long permits) {
    fits = true;
    if (failed() || readsOnly) {
      return;
    }
    State state = opened().state();
    boolean refunded =
        policy.meter instanceof InFlightMeter slots
            ? origin.holder().isPresent()
                && slots.release(state, now, permits, origin.holder().get())
            : origin.atMicros().isPresent()
                ? policy.meter.refundGrant(state, now, permits, origin.atMicros().getAsLong())
                : policy.meter.refund(state, now, permits);
    if (refunded) {
      viewed = opened().written(policy.meter);
    }
  }

  /** Corrects what a decision took to what it cost. */
  void settle(long now, Origin origin, long cost) {
    fits = true;
    boolean ofSlots = policy.meter instanceof InFlightMeter;
    if (ofSlots ? cost == 0 : cost < claim.permits()) {
      refund(now, origin, claim.permits() - cost);
    } else if (!ofSlots && cost > claim.permits() && !failed()) {
      charged = true;
      permits = cost - claim.permits();
      reserveRoom(now);
      boolean warned = policy.meter.warned(opened().state(), now);
      if (!failed() && charge(now, permits)) {
        viewed = opened().written(policy.meter);
        firstWarning = !warned && policy.meter.warned(opened().state(), now);
      }
    }
  }

  /** Keeps slots for another hold; whether their holder still had them. */
  boolean renew(long now, UUID holder) {
    return !failed()
        && policy.meter instanceof InFlightMeter slots
        && slots.renew(opened().state(), now, claim.permits(), holder);
  }

  Verdict verdict(long now) {
    if (failure != null) {
      return Verdict.failed(failure);
    }
    Verdict verdict =
        charged
            ? opened().chargeVerdict(policy.meter, now, permits)
            : opened().verdict(policy.meter, now, claim.permits(), fits);
    return verdict.withFirstWarning(firstWarning);
  }

  void release(long now) {
    if (held != null) {
      policy.table.release(claim.key(), held, now);
    }
  }

  private ViewedState opened() {
    if (viewed == null) {
      throw new IllegalStateException("not opened");
    }
    return viewed;
  }
}
