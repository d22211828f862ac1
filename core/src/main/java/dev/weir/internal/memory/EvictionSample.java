package dev.weir.internal.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The least used of the states that were sampled so far and are not evicted yet. Numbered keys are
 * neighbours in a map, so a single sample may miss the states that are hardly used. Not safe for
 * many threads.
 */
final class EvictionSample {
  private static final int MAX_CANDIDATES = 1024;
  private static final int LEVELS = 16;
  private static final int FIRST_SAMPLE = 512;
  private static final int SAMPLE = 16;

  private final List<Deque<EvictionCandidate>> byUse = new ArrayList<>(LEVELS);
  private int size;
  private boolean sampled;

  EvictionSample() {
    for (int level = 0; level < LEVELS; level++) {
      byUse.add(new ArrayDeque<>(0));
    }
  }

  /** How many states to sample before the next eviction; more before the first one. */
  int sampleSize() {
    int steps = sampled ? SAMPLE : FIRST_SAMPLE;
    sampled = true;
    return steps;
  }

  void add(EvictionCandidate candidate) {
    int level = (int) (candidate.used() * LEVELS);
    byUse.get(Math.max(0, Math.min(level, LEVELS - 1))).addLast(candidate);
    size++;
    for (int most = LEVELS - 1; size > MAX_CANDIDATES; most--) {
      size -= byUse.get(most).pollFirst() == null ? 0 : 1;
    }
  }

  /** Removes one of the least used; null if there is none. */
  @Nullable EvictionCandidate poll() {
    for (Deque<EvictionCandidate> level : byUse) {
      EvictionCandidate candidate = level.pollLast(); // the newest is most likely unchanged
      if (candidate != null) {
        size--;
        return candidate;
      }
    }
    return null;
  }
}
