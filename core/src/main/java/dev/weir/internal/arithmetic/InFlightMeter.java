package dev.weir.internal.arithmetic;

import dev.weir.Limit;
import dev.weir.internal.Micros;
import dev.weir.spi.Verdict;
import java.util.UUID;

/**
 * Requests in flight: a slot counts until its holder releases it, or until it was not renewed for
 * exactly one hold.
 *
 * <p>State: the {@link HeldSlots} of a {@link HeldState}; {@code extra} is when the last of them
 * would be lost. The state means the same under any limit, because the end of each slot was fixed
 * when it was taken or renewed. Only the holder can give slots back: a refund without a holder
 * changes nothing, and a charge, which has no receipt, takes no slots.
 */
public final class InFlightMeter extends Meter {
  private final long hold;

  InFlightMeter(Limit.RequestsInFlight limit) {
    super(limit);
    hold = Micros.of(limit.hold());
  }

  public long hold() {
    return hold;
  }

  /** Takes slots that nobody can release: they are lost after one hold. */
  @Override
  public void take(State state, long now, long permits) {
    take(state, now, permits, UUID.randomUUID());
  }

  /**
   * Takes slots that fit.
   *
   * @param holder used for this question alone
   */
  public void take(State state, long now, long permits, UUID holder) {
    HeldSlots slots = slots(state);
    slots.dropUntil(now);
    slots.take(holder, permits, now + hold);
    state.extra = slots.lastEnd();
  }

  /** How many holders a state needs room for once one more holder has slots. */
  public int roomToTake(HeldState state) {
    return state.slots().holders() + 1;
  }

  /**
   * Gives slots back.
   *
   * @return whether the holder still had them
   */
  public boolean release(State state, long now, long permits, UUID holder) {
    HeldSlots slots = slots(state);
    slots.dropUntil(now);
    boolean released = slots.release(holder, permits);
    state.extra = slots.lastEnd();
    return released;
  }

  /**
   * Keeps slots for another hold.
   *
   * @return whether the holder still had them; slots that were lost stay lost
   */
  public boolean renew(State state, long now, long permits, UUID holder) {
    HeldSlots slots = slots(state);
    if (!slots.holds(holder, permits, now)) {
      return false;
    }
    slots.renew(holder, now + hold);
    state.extra = slots.lastEnd();
    return true;
  }

  @Override
  public boolean charge(State state, long now, long permits, boolean debt) {
    return false;
  }

  @Override
  public boolean refund(State state, long now, long permits) {
    return false;
  }

  @Override
  public boolean refundGrant(State state, long now, long permits, long grantedAt) {
    return false;
  }

  @Override
  public void bringBack(State state, long now) {
    throw new IllegalStateException("the script of slots brings them back by itself");
  }

  @Override
  public long resetAfter(State state, long now) {
    return Math.max(0, state.extra - now);
  }

  @Override
  public long endsAt(State state) {
    return state.extra;
  }

  /**
   * The answer for slots that are kept elsewhere, from their state after the question.
   *
   * @param lastEnd when the last slot would be lost; of no meaning if none is held
   * @param frees expiry of the slot whose loss makes the claim fit
   */
  public Verdict verdict(
      long now, long permits, boolean fits, long used, long lastEnd, long frees) {
    return new Verdict(
        now,
        fits,
        Math.max(0, capacity - used),
        fits ? 0 : permits > capacity ? Micros.NEVER : frees - now,
        used == 0 ? 0 : lastEnd - now);
  }

  /** The wait if no slot is released earlier. */
  @Override
  long waitFor(State state, long now, long permits) {
    return slots(state).timeLeaving(capacity - permits) - now;
  }

  @Override
  long used(State state, long now) {
    return slots(state).heldAt(now);
  }

  @Override
  void setUsed(State state, long at, long used) {
    throw new IllegalStateException("slots never take over another limit's state");
  }

  /** Slots mean the same under any limit. */
  @Override
  void convert(State state, Meter writer) {}

  private static HeldSlots slots(State state) {
    return ((HeldState) state).slots();
  }
}
