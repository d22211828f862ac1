package dev.weir.internal.arithmetic;

/** A state with every admission: what {@link SlidingLogMeter} works on. */
public interface LogState {
  LogEntries entries();
}
