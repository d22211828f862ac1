package dev.weir.benchmarks;

/**
 * One contender in one round.
 *
 * @param nanos per decision and thread
 * @param bytes allocated per decision
 * @param disturbed the share of the processors that other programs used meanwhile
 */
record Sample(double nanos, double bytes, double disturbed) {}
