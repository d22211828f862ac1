package dev.weir.internal.memory;

import dev.weir.internal.arithmetic.LogEntries;
import dev.weir.internal.arithmetic.LogState;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state of one key under one policy, with a sequence lock.
 *
 * <p>The guard is the lock, in one number: even is free, odd is held, negative is dead. A reader
 * notes the guard, reads the state, and compares the guard again; if it is the same, the values
 * read are consistent, and no memory was written. A writer moves the guard from the even number it
 * has seen to the next odd one; if that succeeds, the values it read before are still current, and
 * it may write. Releasing sets the guard to the next even number. A dead state has been removed
 * from its table: a thread that still has a reference looks the key up again.
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

  /** A fresh state, free. */
  static LockedState of(Meter meter) {
    return meter.keepsLog() ? new OfLog(meter) : new LockedState(meter);
  }

  /** A fresh state that the caller already holds; no other thread may know it yet. */
  static LockedState heldOf(Meter meter) {
    LockedState state = of(meter);
    state.guard = 1;
    return state;
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

  /** Whether all values read since this free guard was noted are consistent. */
  boolean isUnchanged(long notedGuard) {
    VarHandle.acquireFence(); // earlier reads are not moved below this line
    return (long) GUARD.getOpaque(this) == notedGuard;
  }

  /** Locks the state if nothing has changed since this free guard was noted. */
  boolean tryHold(long notedGuard) {
    boolean held = GUARD.compareAndSet(this, notedGuard, notedGuard + 1);
    VarHandle.storeStoreFence(); // no write to the state is seen before the guard is odd
    return held;
  }

  /** Locks the state; another thread holds it for a few instructions at most. False if dead. */
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
        Thread.yield(); // the holder may not be scheduled
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

  /** Marks a held state as dead; the caller removes it from its table at once. */
  void kill() {
    GUARD.setRelease(this, DEAD);
  }

  /** Empties a held state of a sliding log. */
  static void forget(LockedState held) {
    ((LogState) held).entries().clear();
    held.clear();
  }

  /** A state of a sliding log. */
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
