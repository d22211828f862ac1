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
 * <p>Keys that have been idle for two periods are folded into counts once there are many, so memory
 * is that of the keys in use; one that comes back later then counts as another.
 */
public final class PeakDemand {
  private static final int MANY = 100_000;
  private static final long MOST_PERMITS = 1L << 53;

  private final Limit limit;
  private final long idleMicros;
  private final Map<String, Peak> live = new HashMap<>();
  private final SortedMap<Long, Share> folded = new TreeMap<>();
  private int foldAt = MANY;

  PeakDemand(Limit limit) {
    this.limit = limit;
    this.idleMicros = 2 * RequiredLimit.micros(limit);
  }

  void add(long atMicros, String key, long permits, boolean denied) {
    Peak peak = live.get(key);
    if (peak == null) {
      if (live.size() >= foldAt) {
        foldIdle(atMicros);
      }
      peak = new Peak(RequiredLimit.of(limit));
      live.put(key, peak);
    }
    peak.add(atMicros, Math.min(permits, MOST_PERMITS), denied);
  }

  private void foldIdle(long now) {
    for (Iterator<Peak> peaks = live.values().iterator(); peaks.hasNext(); ) {
      Peak peak = peaks.next();
      if (now - peak.lastMicros > idleMicros) {
        fold(peak, folded);
        peaks.remove();
      }
    }
    foldAt = Math.max(MANY, 2 * live.size());
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
    private final RequiredLimit need;
    private long lastMicros;
    private long most;
    private long denied;

    private Peak(RequiredLimit need) {
      this.need = need;
    }

    private void add(long atMicros, long permits, boolean deniedNow) {
      lastMicros = atMicros;
      most = Math.max(most, need.after(atMicros, permits));
      denied += deniedNow ? 1 : 0;
    }
  }
}
