package dev.weir.benchmarks.soak;

import java.util.List;

/**
 * What one instance uses at one time.
 *
 * @param afterMillis since the load began
 * @param heapBytes after a collection
 * @param rulesVersion counted from 1
 * @param refusedRules how many versions were refused
 */
record Vitals(
    long afterMillis,
    long heapBytes,
    long threads,
    long openFiles,
    int inFlight,
    int rulesVersion,
    int refusedRules) {
  private static final long MINUTE_MILLIS = 60_000;

  /** The first after a minute; of a load that is shorter, the first of all. */
  static Vitals baseline(List<Vitals> inOrder) {
    return inOrder.stream()
        .limit(inOrder.size() - 1L)
        .filter(each -> each.afterMillis >= MINUTE_MILLIS)
        .findFirst()
        .orElse(inOrder.get(0));
  }
}
