package dev.weir.internal.arithmetic;

/** A state with the holders of slots: what {@link InFlightMeter} works on. */
public interface HeldState {
  HeldSlots slots();
}
