package dev.weir.internal.arithmetic;

/** A state that keeps who holds slots: what {@link InFlightMeter} works on. */
public interface HeldState {
  HeldSlots slots();
}
