package dev.weir.internal.memory;

import dev.weir.internal.arithmetic.HeldSlots;
import dev.weir.internal.arithmetic.HeldState;
import dev.weir.internal.arithmetic.LogEntries;
import dev.weir.internal.arithmetic.LogState;
import dev.weir.internal.arithmetic.Meter;
import dev.weir.internal.arithmetic.State;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The state of one key under one policy, with a sequence lock.
 *
 * <p>The sequence number is the lock: even is free, odd is held, negative is dead. A reader notes
 * the number, reads the state, and compares the number again; if it is the same, the values read
 * are consistent, and no memory was written. A writer moves it from the even number it has seen to
 * the next odd one; if that succeeds, the values it read before are still current, and it may
 * write. Releasing sets it to the next even number. A dead state has been removed from its table: a
 * thread that still has a reference looks the key up again.
 */
class LockedState extends State {
  private static final VarHandle SEQUENCE;
  private static final long DEAD = -1;
  private static final int SPINS_BEFORE_YIELD = 64;

  static {
    try {
      SEQUENCE = MethodHandles.lookup().findVarHandle(LockedState.class, "sequence", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  /** The limit the state was written under; read and written like the state. */
  Meter meter;

  private long sequence;

  private LockedState(Meter meter) {
    this.meter = meter;
  }

  /** A fresh state, free. */
  static LockedState of(Meter meter) {
    return switch (meter.form()) {
      case NUMBERS -> new LockedState(meter);
      case LOG -> new LockedLogState(meter);
      case SLOTS -> new LockedHeldState(meter);
    };
  }

  /** A fresh state that the caller already holds; no other thread may know it yet. */
  static LockedState heldOf(Meter meter) {
    LockedState state = of(meter);
    state.sequence = 1;
    return state;
  }

  long sequence() {
    return (long) SEQUENCE.getAcquire(this);
  }

  static boolean isFree(long sequence) {
    return (sequence & 1) == 0;
  }

  static boolean isDead(long sequence) {
    return sequence < 0;
  }

  /** Whether all values read since this free number was noted are consistent. */
  boolean isUnchanged(long notedSequence) {
    VarHandle.acquireFence(); // earlier reads are not moved below this line
    return (long) SEQUENCE.getOpaque(this) == notedSequence;
  }

  /** Locks the state if nothing has changed since this free number was noted. */
  boolean tryHold(long notedSequence) {
    boolean held = SEQUENCE.compareAndSet(this, notedSequence, notedSequence + 1);
    VarHandle.storeStoreFence(); // no write to the state is seen before the number is odd
    return held;
  }

  /** Locks the state; another thread holds it for a few instructions at most. False if dead. */
  boolean hold() {
    for (int spins = 1; ; spins++) {
      long seen = sequence();
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

  /** Writes another state if nothing has changed since this free number was noted. */
  boolean tryReplace(long notedSequence, State state) {
    boolean held = tryHold(notedSequence);
    if (held) {
      set(state.time, state.amount, state.extra);
      release();
    }
    return held;
  }

  void release() {
    SEQUENCE.setRelease(this, sequence + 1);
  }

  /** Releases a held state that was only read: sequence numbers that others noted stay valid. */
  void releaseUnchanged() {
    SEQUENCE.setRelease(this, sequence - 1);
  }

  /** Marks a held state as dead; the caller removes it from its table at once. */
  void kill() {
    SEQUENCE.setRelease(this, DEAD);
  }

  /** Bytes beyond those of a state of three numbers that the store's budget counts for it. */
  long countedBytes() {
    return 0;
  }

  /** The size of this many entries, beyond a state of three numbers. */
  long bytesOf(int entries) {
    return 0;
  }

  /** The number of entries that memory is allocated for. */
  int room() {
    return 0;
  }

  /** Sets the number of entries that the store's budget counts for this state. */
  void count(int entries) {}

  /** Empties a held state of a sliding log. */
  static void forget(LockedState held) {
    ((LogState) held).entries().clear();
    held.clear();
  }

  /**
   * A state of a sliding log. It grows, so it keeps the number of entries that the store's budget
   * counts for it: never fewer than memory is allocated for.
   */
  static final class LockedLogState extends LockedState implements LogState {
    /** Of an empty log on a 64-bit JVM, beyond a state of three numbers. */
    private static final int BYTES_OF_EMPTY = 160;

    private final LogEntries entries = new LogEntries();
    private int countedRoom = LogEntries.SMALLEST;

    private LockedLogState(Meter meter) {
      super(meter);
    }

    @Override
    public LogEntries entries() {
      return entries;
    }

    @Override
    long countedBytes() {
      return bytesOf(countedRoom);
    }

    @Override
    long bytesOf(int entries) {
      return BYTES_OF_EMPTY + (long) LogEntries.BYTES_PER_ENTRY * (entries - LogEntries.SMALLEST);
    }

    @Override
    int room() {
      return entries.room();
    }

    @Override
    void count(int newRoom) {
      countedRoom = newRoom;
    }
  }

  /** A state of requests in flight. It grows with every holder, as a log does. */
  static final class LockedHeldState extends LockedState implements HeldState {
    /** Without holders on a 64-bit JVM, beyond a state of three numbers. */
    private static final int BYTES_OF_EMPTY = 200;

    private final HeldSlots slots = new HeldSlots();
    private int countedHolders;

    private LockedHeldState(Meter meter) {
      super(meter);
    }

    @Override
    public HeldSlots slots() {
      return slots;
    }

    @Override
    long countedBytes() {
      return bytesOf(countedHolders);
    }

    @Override
    long bytesOf(int entries) {
      return BYTES_OF_EMPTY + (long) HeldSlots.BYTES_PER_HOLDER * entries;
    }

    @Override
    int room() {
      return slots.holders();
    }

    @Override
    void count(int holders) {
      countedHolders = holders;
    }
  }
}
