package dev.weir.cli.simulate;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys that were counted most. Bounded: once there are many, the rarest are forgotten, and what
 * they had is missing if they come back. Not safe for many threads.
 */
final class TopKeys {
  private static final int MANY = 1 << 16;
  private static final int KEPT = 1 << 13;

  private final Map<Who, long[]> counts = new HashMap<>();

  /** A key of a limit. */
  record Who(String limit, String key) {}

  /** A key and how often it was counted. */
  record Count(Who who, long count) {}

  void add(String limit, String key) {
    counts.computeIfAbsent(new Who(limit, key), who -> new long[1])[0]++;
    if (counts.size() >= MANY) {
      List<Count> kept = top(KEPT);
      counts.clear();
      kept.forEach(count -> counts.put(count.who(), new long[] {count.count()}));
    }
  }

  List<Count> top(int most) {
    return counts.entrySet().stream()
        .map(entry -> new Count(entry.getKey(), entry.getValue()[0]))
        .sorted(
            Comparator.comparingLong(Count::count)
                .reversed()
                .thenComparing(count -> count.who().limit())
                .thenComparing(count -> count.who().key()))
        .limit(most)
        .toList();
  }
}
