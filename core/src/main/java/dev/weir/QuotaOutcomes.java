package dev.weir;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The outcomes of {@link Mode#QUOTA} claims among all of a decision: at least one must fit. */
final class QuotaOutcomes {
  private QuotaOutcomes() {}

  /** Whether there are quotas and none of them fits. */
  static boolean deny(List<Outcome> outcomes) {
    boolean any = false;
    for (Outcome outcome : outcomes) {
      if (outcome.isQuota()) {
        if (outcome.allowed()) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  /** Permits that one more request could take from the fullest; the most there can be, if none. */
  static long remaining(List<Outcome> outcomes) {
    long most = -1;
    for (Outcome outcome : outcomes) {
      if (outcome.isQuota()) {
        most = Math.max(most, outcome.remaining());
      }
    }
    return most < 0 ? Long.MAX_VALUE : most;
  }

  /** The quota that will fit first; null if there is none. */
  static @Nullable Outcome firstBack(List<Outcome> outcomes) {
    Outcome first = null;
    for (Outcome outcome : outcomes) {
      if (outcome.isQuota()
          && (first == null || outcome.retryAfter().compareTo(first.retryAfter()) < 0)) {
        first = outcome;
      }
    }
    return first;
  }
}
