package dev.weir.cli.simulate.replay;

import dev.weir.cli.simulate.replay.PeakDemand.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * The limit that would have passed all requests of a part of the keys, and its effect.
 *
 * @param part which part of the keys: 99 %, 99.9 %, all
 * @param number the limit, or the burst of a bucket that has one of its own
 * @param times how many times today's number that is: what a single key could then use
 * @param spared denials of those keys that would have passed; others may pass besides
 */
public record LimitAdvice(String part, long number, double times, long spared) {
  private static final String[] PARTS = {"99 %", "99.9 %", "all"};
  private static final long[] PER_MILLE = {990, 999, 1000};

  /** One for each part; none if no key asked for anything. */
  static List<LimitAdvice> of(SortedMap<Long, Share> distribution, long today) {
    List<LimitAdvice> advice = new ArrayList<>();
    long keys = distribution.values().stream().mapToLong(Share::keys).sum();
    for (int i = 0; i < PARTS.length && keys > 0; i++) {
      long wanted = (keys * PER_MILLE[i] + 999) / 1000;
      advice.add(of(PARTS[i], wanted, distribution, today));
    }
    return advice;
  }

  private static LimitAdvice of(
      String part, long wantedKeys, SortedMap<Long, Share> distribution, long today) {
    Share passed = new Share(0, 0);
    for (Map.Entry<Long, Share> entry : distribution.entrySet()) {
      passed = passed.plus(entry.getValue());
      if (passed.keys() >= wantedKeys) {
        double times = (double) entry.getKey() / today;
        return new LimitAdvice(part, entry.getKey(), times, passed.denied());
      }
    }
    throw new IllegalArgumentException("wantedKeys must be at most all, was " + wantedKeys);
  }
}
