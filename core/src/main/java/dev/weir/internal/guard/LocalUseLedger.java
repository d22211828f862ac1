package dev.weir.internal.guard;

import dev.weir.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Local use that the store has not been charged for yet, by state. A key that was only denied has
 * an entry of 0 permits, so that its node is probed, too. Bounded. Safe for many threads.
 */
final class LocalUseLedger {
  private static final int MAX_UNUSED = 1000;

  private final int maxKeys;
  private final ConcurrentMap<StateKey, Claim> uncharged = new ConcurrentHashMap<>();
  private final ConcurrentMap<StateKey, Claim> uncertain = new ConcurrentHashMap<>();

  /**
   * @param resent whether the claim was sent before and its outcome is unknown
   */
  record LocalUse(Claim claim, boolean resent) {}

  LocalUseLedger(int maxKeys) {
    this.maxKeys = maxKeys;
  }

  /**
   * Whether there is room for an entry of this key. Without an entry, permits could not be charged
   * later, so they must not be granted.
   */
  boolean hasRoomFor(Claim claim) {
    return uncharged.size() < maxKeys || uncharged.containsKey(StateKey.of(claim));
  }

  /**
   * @param mostInUse the most permits that the limit can have in use at once; acquiring raises an
   *     entry no further
   */
  void acquired(Claim claim, long mostInUse) {
    uncharged.merge(StateKey.of(claim), claim, (before, more) -> sum(before, more, mostInUse));
  }

  /** Enters a charge, which a limit does not bound. */
  void charged(Claim claim) {
    add(uncharged, claim);
  }

  void denied(Claim claim) {
    if (uncharged.size() < MAX_UNUSED) {
      add(uncharged, new Claim(claim.policy(), claim.key(), 0));
    }
  }

  /** Enters a charge again that the store has not executed. */
  void putBack(LocalUse entry) {
    add(entry.resent ? uncertain : uncharged, entry.claim);
  }

  /**
   * Enters a charge again that the store may or may not have executed. It is sent only once more,
   * so it counts at most twice.
   *
   * @return whether it will be sent again
   */
  boolean putInDoubt(LocalUse entry) {
    if (entry.resent) {
      return false;
    }
    if (entry.claim.permits() == 0) {
      add(uncharged, entry.claim); // takes nothing, however often it is sent
    } else {
      add(uncertain, entry.claim);
    }
    return true;
  }

  private static void add(ConcurrentMap<StateKey, Claim> to, Claim claim) {
    to.merge(StateKey.of(claim), claim, (before, more) -> sum(before, more, Long.MAX_VALUE));
  }

  private static Claim sum(Claim before, Claim more, long most) {
    long sum = before.permits() + more.permits();
    long saturated = sum < 0 ? Long.MAX_VALUE : sum;
    long permits = Math.min(saturated, Math.max(before.permits(), most));
    return new Claim(more.policy(), more.key(), permits);
  }

  /** All entries as they are now; each stays until it is taken. */
  List<LocalUse> entries() {
    List<LocalUse> entries = new ArrayList<>();
    uncertain.values().forEach(claim -> entries.add(new LocalUse(claim, true)));
    uncharged.values().forEach(claim -> entries.add(new LocalUse(claim, false)));
    return entries;
  }

  /** Removes an entry to charge it, with what was added meanwhile; null if it is gone. */
  @Nullable LocalUse take(LocalUse entry) {
    StateKey key = StateKey.of(entry.claim);
    Claim claim = entry.resent ? uncertain.remove(key) : uncharged.remove(key);
    return claim == null ? null : new LocalUse(claim, entry.resent);
  }

  void forget(Claim claim) {
    uncharged.remove(StateKey.of(claim));
    uncertain.remove(StateKey.of(claim));
  }

  boolean isEmpty() {
    return uncharged.isEmpty() && uncertain.isEmpty();
  }
}
