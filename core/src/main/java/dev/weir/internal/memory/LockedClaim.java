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
  private @Nullable State state;
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

  /** Makes the state readable under the claim's own limit; reading alone changes no record. */
  void open(long now) {
    if (failure != null) {
      return;
    }
    if (record == null) {
      state = LockedState.of(binding.meter);
    } else if (readsOnly) {
      state = binding.view(record, now);
    } else {
      binding.adopt(record, now);
      state = record;
    }
  }

  boolean failed() {
    return failure != null;
  }

  void weigh(Operation operation, long now) {
    fits =
        operation == Operation.CHARGE
            || !failed() && binding.meter.fits(opened(), now, claim.permits());
  }

  boolean denies() {
    return !fits && !failed() && claim.policy().enforced();
  }

  void take(Operation operation, long now) {
    if (failed() || !fits || readsOnly) {
      return;
    }
    if (operation == Operation.CHARGE) {
      binding.meter.charge(opened(), now, claim.permits());
    } else {
      binding.meter.take(opened(), now, claim.permits());
    }
  }

  void refund(long now, OptionalLong grantedAt) {
    fits = true;
    if (failed() || readsOnly) {
      return;
    }
    if (grantedAt.isPresent()) {
      binding.meter.refundGrant(opened(), now, claim.permits(), grantedAt.getAsLong());
    } else {
      binding.meter.refund(opened(), now, claim.permits());
    }
  }

  Verdict verdict(long now) {
    if (failure != null) {
      return Verdict.failed(failure);
    }
    return binding.meter.verdict(opened(), now, claim.permits(), fits);
  }

  void release(long now) {
    if (record != null) {
      binding.table.release(claim.key(), record, now);
    }
  }

  private State opened() {
    if (state == null) {
      throw new IllegalStateException("not opened");
    }
    return state;
  }
}
