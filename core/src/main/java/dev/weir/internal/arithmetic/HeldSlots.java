package dev.weir.internal.arithmetic;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The holders of slots of one key, in the order in which their slots expire. Not safe for many
 * threads.
 *
 * <p>The slots of a holder are numbered from 0 and released from the front. Releasing the same
 * slots twice changes nothing, as in Redis, where every slot is a member of a sorted set.
 */
public final class HeldSlots {
  /** The size of one holder on a 64-bit JVM: an entry, its id, and its nodes in two maps. */
  public static final int BYTES_PER_HOLDER = 192;

  private final Map<UUID, Holding> byHolder = new HashMap<>(4);
  private final TreeSet<Holding> byEnd = new TreeSet<>();
  private long total;

  /** The slots of one holder, from {@code released} to {@code taken}. */
  private static final class Holding implements Comparable<Holding> {
    final UUID holder;
    final long taken;
    long released;
    long end;

    Holding(UUID holder, long taken, long end) {
      this.holder = holder;
      this.taken = taken;
      this.end = end;
    }

    long held() {
      return taken - released;
    }

    @Override
    public int compareTo(Holding other) {
      int byEnd = Long.compare(end, other.end);
      return byEnd != 0 ? byEnd : holder.compareTo(other.holder);
    }
  }

  /** The number of holders, which is what this costs in memory. */
  public int holders() {
    return byHolder.size();
  }

  /** Slots that are held at this time. */
  long heldAt(long now) {
    long held = total;
    for (Holding holding : byEnd) {
      if (holding.end > now) {
        break;
      }
      held -= holding.held();
    }
    return held;
  }

  /** When at most {@code most} slots are held, if none is renewed or released. More are now. */
  long timeLeaving(long most) {
    long held = total;
    for (Holding holding : byEnd) {
      held -= holding.held();
      if (held <= most) {
        return holding.end;
      }
    }
    throw new IllegalStateException("fewer slots are held");
  }

  /** When the last slot would be lost; 0 if none is held. */
  long lastEnd() {
    return byEnd.isEmpty() ? 0 : byEnd.last().end;
  }

  void take(UUID holder, long slots, long end) {
    Holding holding = new Holding(holder, slots, end);
    Holding before = byHolder.put(holder, holding);
    if (before != null) {
      forget(before);
    }
    byEnd.add(holding);
    total += slots;
  }

  /** Releases a holder's first slots; returns whether it had any of them. */
  boolean release(UUID holder, long slots) {
    Holding holding = byHolder.get(holder);
    if (holding == null || slots <= holding.released) {
      return false;
    }
    long released = Math.min(slots, holding.taken);
    total -= released - holding.released;
    holding.released = released;
    if (holding.held() == 0) {
      byEnd.remove(holding);
      byHolder.remove(holder);
    }
    return true;
  }

  /** Whether a holder that took this many slots still has all of them. */
  boolean holds(UUID holder, long slots, long now) {
    Holding holding = byHolder.get(holder);
    return holding != null && holding.end > now && holding.released == 0 && holding.taken == slots;
  }

  /** Sets a new end for a holder's slots. */
  void renew(UUID holder, long end) {
    Holding holding = byHolder.get(holder);
    if (holding != null) {
      byEnd.remove(holding);
      holding.end = end;
      byEnd.add(holding);
    }
  }

  /** Removes the slots that have expired at this time. */
  void dropUntil(long now) {
    while (!byEnd.isEmpty() && byEnd.first().end <= now) {
      Holding lost = byEnd.first();
      byHolder.remove(lost.holder);
      forget(lost);
    }
  }

  private void forget(Holding holding) {
    byEnd.remove(holding);
    total -= holding.held();
  }
}
