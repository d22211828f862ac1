package dev.weir.internal.memory;

import dev.weir.Claim;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.arithmetic.State;
import dev.weir.spi.Operation;
import dev.weir.spi.Verdict;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One claim of a question while its record is held. Used by one thread. */
final class LockedClaim {
  final Claim claim;
  private final BoundPolicy binding;
  private final boolean readsOnly;

  private @Nullable LockedState record;
  private @Nullable ViewedState viewed;
  private @Nullable StoreUnavailableException failure;
  private boolean fits;

  LockedClaim(Claim claim, BoundPolicy binding, boolean readsOnly) {
    this.claim = claim;
    this.binding = binding;
    this.readsOnly = readsOnly;
  }

  /** Holds the record; a claim that only reads a key without one holds nothing. */
  void hold(long now) {
    try {
      if (readsOnly && binding.table.find(claim.key()) == null) {
        return;
      }
      record = binding.table.hold(claim.key(), binding.meter, now);
    } catch (StoreUnavailableException full) {
      failure = full;
    }
  }

  /** False if the key had no record when it was to be held, and has one now. */
  boolean isStillTrue() {
    return record != null || failure != null || binding.table.find(claim.key()) == null;
  }

  /** Makes the state readable under the claim's own limit. */
  void open(long now) {
    if (failure == null) {
      viewed =
          record == null
              ? ViewedState.own(LockedState.of(binding.meter))
              : binding.view(record, now);
    }
  }

  boolean failed() {
    return failure != null;
  }

  void weigh(Operation operation, long now) {
    fits =
        operation == Operation.CHARGE
            || !failed() && binding.meter.fits(opened().state(), now, claim.permits());
  }

  boolean denies() {
    return !fits && !failed() && claim.policy().enforced();
  }

  void take(Operation operation, long now) {
    if (failed() || !fits || readsOnly) {
      return;
    }
    if (operation != Operation.CHARGE) {
      binding.meter.take(opened().state(), now, claim.permits());
      viewed = opened().written(binding.meter);
    } else if (binding.meter.charge(opened().state(), now, claim.permits())) {
      viewed = opened().written(binding.meter);
    }
  }

  void refund(long now, OptionalLong grantedAt) {
    fits = true;
    if (failed() || readsOnly) {
      return;
    }
    State state = opened().state();
    boolean refunded =
        grantedAt.isPresent()
            ? binding.meter.refundGrant(state, now, claim.permits(), grantedAt.getAsLong())
            : binding.meter.refund(state, now, claim.permits());
    if (refunded) {
      viewed = opened().written(binding.meter);
    }
  }

  Verdict verdict(long now) {
    if (failure != null) {
      return Verdict.failed(failure);
    }
    return opened().verdict(binding.meter, now, claim.permits(), fits);
  }

  void release(long now) {
    if (record != null) {
      binding.table.release(claim.key(), record, now);
    }
  }

  private ViewedState opened() {
    if (viewed == null) {
      throw new IllegalStateException("not opened");
    }
    return viewed;
  }
}
