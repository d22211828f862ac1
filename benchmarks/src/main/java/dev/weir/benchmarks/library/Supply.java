package dev.weir.benchmarks.library;

/** How many permits there are. */
public enum Supply {
  /** More than any run can take. */
  AMPLE,
  /** One per day: the first request takes it, all others are denied. */
  SINGLE
}
