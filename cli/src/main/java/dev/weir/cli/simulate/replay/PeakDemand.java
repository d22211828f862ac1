package dev.weir.cli.simulate.replay;

import dev.weir.Limit;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What each key of a limit needed at its peak. Not safe for many threads.
 *
 * <p>Memory is bounded. Once there are many keys, those that have been idle for two periods are
 * folded into counts; if that is not enough, so is the half that has been idle the longest. A key
 * that comes back after it was folded counts as another.
 */
public final class PeakDemand {
  static final int MAX_KEYS = 100_000;
  private static final long MAX_PERMITS = 1L << 53;

  private final Limit limit;
  private final long idleMicros;
  private final Map<String, Peak> live = new HashMap<>();
  private final SortedMap<Long, Share> folded = new TreeMap<>();
  private long foldedEarly;

  PeakDemand(Limit limit) {
    this.limit = limit;
    this.idleMicros = 2 * RequiredLimit.micros(limit);
  }

  void add(long atMicros, String key, long permits, boolean denied) {
    add(atMicros, key, permits, denied, true);
  }

  /**
   * @param counted false for a request whose permits came back with its response: it needed them
   *     for a moment
   */
  void add(long atMicros, String key, long permits, boolean denied, boolean counted) {
    String bounded = StatisticsKey.of(key);
    Peak peak = live.get(bounded);
    if (peak == null) {
      if (live.size() >= MAX_KEYS) {
        makeRoom(atMicros);
      }
      peak = new Peak(RequiredLimit.of(limit));
      live.put(bounded, peak);
    }
    peak.add(atMicros, Math.min(permits, MAX_PERMITS), denied, counted);
  }

  private void makeRoom(long now) {
    foldOlderThan(now - idleMicros);
    int left = live.size();
    if (left > MAX_KEYS / 2) {
      long[] times = live.values().stream().mapToLong(peak -> peak.lastMicros).sorted().toArray();
      foldOlderThan(times[times.length / 2]);
      foldEqualTo(times[times.length / 2], live.size() - MAX_KEYS / 2);
      foldedEarly += left - live.size();
    }
  }

  private void foldOlderThan(long micros) {
    for (Iterator<Peak> peaks = live.values().iterator(); peaks.hasNext(); ) {
      Peak peak = peaks.next();
      if (peak.lastMicros < micros) {
        fold(peak, folded);
        peaks.remove();
      }
    }
  }

  /** Thousands of keys may have come in one and the same instant. */
  private void foldEqualTo(long micros, int most) {
    int left = most;
    for (Iterator<Peak> peaks = live.values().iterator(); left > 0 && peaks.hasNext(); ) {
      Peak peak = peaks.next();
      if (peak.lastMicros == micros) {
        fold(peak, folded);
        peaks.remove();
        left--;
      }
    }
  }

  /** How many keys were folded though they might have come back soon; 0 for nearly every log. */
  long foldedEarly() {
    return foldedEarly;
  }

  /** How many keys are held at this moment. */
  int size() {
    return live.size();
  }

  /** Keys and their denials by what they needed, the least first. */
  SortedMap<Long, Share> distribution() {
    SortedMap<Long, Share> all = new TreeMap<>();
    folded.forEach((need, share) -> all.put(need, share));
    live.values().forEach(peak -> fold(peak, all));
    return all;
  }

  private static void fold(Peak peak, SortedMap<Long, Share> into) {
    into.merge(roundedUp(peak.most), new Share(1, peak.denied), Share::plus);
  }

  /** To three digits, so that there are never many different ones. */
  static long roundedUp(long need) {
    long step = 1;
    while (need / step >= 1000) {
      step *= 10;
    }
    return (need + step - 1) / step * step;
  }

  /** How many keys, and how many of their requests this limit denied. */
  public record Share(long keys, long denied) {
    Share plus(Share other) {
      return new Share(keys + other.keys, denied + other.denied);
    }
  }

  private static final class Peak {
    private final RequiredLimit required;
    private long lastMicros;
    private long most;
    private long denied;

    private Peak(RequiredLimit required) {
      this.required = required;
    }

    private void add(long atMicros, long permits, boolean deniedNow, boolean counted) {
      lastMicros = atMicros;
      long needed =
          counted ? required.after(atMicros, permits) : required.after(atMicros, 0) + permits;
      most = Math.max(most, needed);
      denied += deniedNow ? 1 : 0;
    }
  }
}
