package dev.weir.benchmarks;

/**
 * One contender in one round.
 *
 * @param nanos per decision and thread
 * @param bytes allocated per decision
 */
record Sample(double nanos, double bytes) {}
