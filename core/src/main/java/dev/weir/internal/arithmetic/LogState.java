package dev.weir.internal.arithmetic;

/** A state that keeps every admission: what {@link SlidingLogMeter} works on. */
public interface LogState {
  LogEntries entries();
}
