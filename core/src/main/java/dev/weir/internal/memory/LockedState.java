package dev.weir.internal.memory;

import dev.weir.internal.arithmetic.LogEntries;
import dev.weir.internal.arithmetic.LogState;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state of one key under one policy, with a guard that keeps threads apart.
 *
 * <p>The guard is a sequence lock in one number: even is free, odd is held, negative is dead. A
 * reader notes the guard, reads the state, and looks whether the guard is still the same; if it is,
 * what was read belongs together, and nothing was written to find out. A writer moves the guard
 * from the even number it has seen to the next odd one; if that succeeds, what it read before is
 * still true, and it may write. Releasing makes the guard even and new. A dead record has been
 * taken out of its table: whoever still holds a reference looks the key up again.
 */
class LockedState extends State {
  private static final VarHandle GUARD;
  private static final long DEAD = -1;
  private static final int SPINS_BEFORE_YIELD = 64;

  static {
    try {
      GUARD = MethodHandles.lookup().findVarHandle(LockedState.class, "guard", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** The limit the state was written under; read and written like the state. */
  Meter meter;

  private long guard;

  private LockedState(Meter meter) {
    this.meter = meter;
  }

  /** A fresh record, free. */
  static LockedState of(Meter meter) {
    return meter.keepsLog() ? new OfLog(meter) : new LockedState(meter);
  }

  /** A fresh record that the caller already holds; no other thread may know it yet. */
  static LockedState heldOf(Meter meter) {
    LockedState record = of(meter);
    record.guard = 1;
    return record;
  }

  long guard() {
    return (long) GUARD.getAcquire(this);
  }

  static boolean isFree(long guard) {
    return (guard & 1) == 0;
  }

  static boolean isDead(long guard) {
    return guard < 0;
  }

  /** Whether everything read since this free guard was noted belongs together. */
  boolean isUnchanged(long notedGuard) {
    VarHandle.acquireFence(); // what was read before stays before
    return (long) GUARD.getOpaque(this) == notedGuard;
  }

  /** Holds the record if nothing has changed since this free guard was noted. */
  boolean tryHold(long notedGuard) {
    boolean held = GUARD.compareAndSet(this, notedGuard, notedGuard + 1);
    VarHandle.storeStoreFence(); // no write to the state is seen before the guard is odd
    return held;
  }

  /**
   * Holds the record, waiting for the few instructions another thread may hold it; false if dead.
   */
  boolean hold() {
    for (int spins = 1; ; spins++) {
      long seen = guard();
      if (isDead(seen)) {
        return false;
      }
      if (isFree(seen) && tryHold(seen)) {
        return true;
      }
      if (spins % SPINS_BEFORE_YIELD == 0) {
        Thread.yield(); // its holder may have lost the processor
      } else {
        Thread.onSpinWait();
      }
    }
  }

  /** Writes another state if nothing has changed since this free guard was noted. */
  boolean tryReplace(long notedGuard, State state) {
    boolean held = tryHold(notedGuard);
    if (held) {
      set(state.time, state.amount, state.extra);
      release();
    }
    return held;
  }

  void release() {
    GUARD.setRelease(this, guard + 1);
  }

  /** Ends a held record; it must leave its table at once. */
  void kill() {
    GUARD.setRelease(this, DEAD);
  }

  /** Empties a held record of a sliding log. */
  static void forget(LockedState held) {
    ((LogState) held).entries().clear();
    held.clear();
  }

  /** A record of a sliding log. */
  private static final class OfLog extends LockedState implements LogState {
    private final LogEntries entries = new LogEntries();

    private OfLog(Meter meter) {
      super(meter);
    }

    @Override
    public LogEntries entries() {
      return entries;
    }
  }
}
