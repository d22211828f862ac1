package dev.weir.internal.slots;

import dev.weir.Receipt;
import dev.weir.Receipt.Grant;
import dev.weir.TimeSource;
import dev.weir.internal.Micros;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Renews the slots that this process holds in one store, all in one call per beat. Safe for many
 * threads.
 *
 * <p>There are three beats per shortest hold. Each beat renews the slots that were last renewed at
 * least a third of their own hold ago, so that one beat may fail without losing slots. While no
 * slots are held, there are no beats.
 */
public final class SlotRenewer {
  private static final int BEATS_PER_HOLD = 3;
  private static final long SHORTEST_PAUSE_MICROS = 1_000;

  /** One per store, removed together with a store that is no longer referenced. */
  private static final Map<LimitStore, SlotRenewer> RENEWERS =
      Collections.synchronizedMap(new WeakHashMap<>());

  private final TimeSource time;
  private final Set<Renewed> all = ConcurrentHashMap.newKeySet();
  private boolean beating; // guarded by this

  private SlotRenewer(TimeSource time) {
    this.time = time;
  }

  /**
   * @param time used if this is the first call for the store
   */
  public static SlotRenewer of(LimitStore store, TimeSource time) {
    return RENEWERS.computeIfAbsent(store, created -> new SlotRenewer(time));
  }

  /** Slots of one decision that are renewed until they are released or lost. */
  public final class Renewed {
    private final LimitStore store;
    private final List<Grant> grants;
    private final long pauseMicros;
    private volatile long dueMicros;
    private volatile boolean lost;

    private Renewed(LimitStore store, Receipt slots) {
      this.store = store;
      this.grants = slots.grants();
      long hold =
          grants.stream()
              .mapToLong(grant -> Micros.of(grant.claim().policy().limit().period()))
              .min()
              .orElseThrow();
      this.pauseMicros = Math.max(SHORTEST_PAUSE_MICROS, hold / BEATS_PER_HOLD);
      this.dueMicros = time.nowMicros() + pauseMicros;
    }

    public boolean isLost() {
      return lost;
    }

    public void stop() {
      all.remove(this);
    }

    private void answered(List<Boolean> held) {
      if (held.contains(false)) {
        lost = all.remove(this); // false if it was released meanwhile
      }
    }
  }

  public Renewed renew(LimitStore store, Receipt slots) {
    Renewed renewed = new Renewed(store, slots);
    all.add(renewed);
    synchronized (this) {
      if (!beating) {
        beating = true;
        scheduleBeat();
      }
    }
    return renewed;
  }

  /** How many decisions have slots that are renewed. */
  public int size() {
    return all.size();
  }

  private void scheduleBeat() {
    long next = Long.MAX_VALUE;
    for (Renewed renewed : all) {
      next = Math.min(next, renewed.dueMicros);
    }
    long pause = Math.max(SHORTEST_PAUSE_MICROS, next - time.nowMicros());
    time.after(Duration.ofNanos(1000 * pause)).thenRun(this::beat);
  }

  private void beat() {
    List<Renewed> due = new ArrayList<>();
    long now = time.nowMicros();
    for (Renewed renewed : all) {
      if (renewed.dueMicros <= now) {
        renewed.dueMicros = now + renewed.pauseMicros;
        due.add(renewed);
      }
    }
    if (!due.isEmpty()) {
      send(due);
    }
    synchronized (this) {
      beating = !all.isEmpty();
      if (beating) {
        scheduleBeat();
      }
    }
  }

  private void send(List<Renewed> due) {
    List<Grant> grants = new ArrayList<>();
    due.forEach(renewed -> grants.addAll(renewed.grants));
    CompletionStage<List<Boolean>> answer;
    try {
      answer = due.get(0).store.renew(new Receipt(grants));
    } catch (RuntimeException closed) { // a store that is closed renews nothing any more
      due.forEach(renewed -> renewed.lost = all.remove(renewed));
      return;
    }
    answer.whenComplete(
        (held, failure) -> {
          int next = 0;
          for (Renewed renewed : due) {
            int end = next + renewed.grants.size();
            if (failure == null) { // otherwise the next beat tries again
              renewed.answered(held.subList(next, end));
            }
            next = end;
          }
        });
  }
}
