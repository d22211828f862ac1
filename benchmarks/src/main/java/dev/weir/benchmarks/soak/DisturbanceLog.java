package dev.weir.benchmarks.soak;

import java.util.List;

/**
 * What was done to the service, and how it was meanwhile.
 *
 * @param versions of the rules written without a fault
 * @param puts versions given to the first instance over HTTP
 * @param faults of Redis
 * @param stallMillis the longest that the machine kept a thread from running
 * @param vitals of each instance, in order
 */
record DisturbanceLog(
    int versions,
    int faultyVersions,
    int puts,
    int faults,
    long stallMillis,
    List<List<Vitals>> vitals) {
  private static final long NOISE_MILLIS = 200;

  /** The deadline, and what a busy machine may add to it. */
  long longestAnswerMillis() {
    return SoakedMain.DEADLINE.toMillis() + NOISE_MILLIS + stallMillis;
  }

  /** As many as this instance must have taken, counted from 1. */
  int rulesVersion(int instance) {
    return 1 + versions + (instance == 0 ? puts : 0);
  }
}
