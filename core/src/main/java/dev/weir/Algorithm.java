package dev.weir;

/** How permits come back once they are used. */
public enum Algorithm {
  /** Bursts up to the capacity, then a steady refill. */
  TOKEN_BUCKET,
  /** A counter that starts again with every window. */
  FIXED_WINDOW,
  /** Two counters; the previous window counts by how much of it still overlaps. */
  SLIDING_WINDOW,
  /** Every admission remembered until it is one window old. */
  SLIDING_LOG,
  /** Slots that requests hold while they are in flight, until they are released or lost. */
  IN_FLIGHT
}
