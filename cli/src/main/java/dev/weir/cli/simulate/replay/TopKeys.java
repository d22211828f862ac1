package dev.weir.cli.simulate.replay;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys that were counted most. Bounded: once there are many, the rarest are forgotten, and what
 * they had is missing if they come back. Not safe for many threads.
 */
public final class TopKeys {
  private static final int MANY = 1 << 16;
  private static final int KEPT = 1 << 13;

  private final Map<Who, Count> counts = new HashMap<>();
  private boolean capped;

  /** A key of a limit. */
  public record Who(String limit, String key) {}

  /** A key, how often it was counted, and from when to when. */
  public record Count(Who who, long count, long firstMicros, long lastMicros) {
    private Count plus(Count later) {
      return new Count(who, count + later.count, firstMicros, later.lastMicros);
    }
  }

  void add(long atMicros, String limit, String key) {
    Who who = new Who(limit, StatisticsKey.of(key));
    counts.merge(who, new Count(who, 1, atMicros, atMicros), Count::plus);
    if (counts.size() >= MANY) {
      capped = true;
      List<Count> kept = top(KEPT);
      counts.clear();
      kept.forEach(count -> counts.put(count.who(), count));
    }
  }

  /** Whether keys were forgotten, so that counts may be too low. */
  public boolean capped() {
    return capped;
  }

  public List<Count> top(int most) {
    return counts.values().stream()
        .sorted(
            Comparator.comparingLong(Count::count)
                .reversed()
                .thenComparing(count -> count.who().limit())
                .thenComparing(count -> count.who().key()))
        .limit(most)
        .toList();
  }
}
