package dev.weir.benchmarks.report;

/** How long to measure; what that means in rounds and seconds is up to each kind of measurement. */
public enum Effort {
  SHORT,
  FULL
}
