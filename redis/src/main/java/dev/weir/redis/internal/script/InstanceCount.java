package dev.weir.redis.internal.script;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;

/**
 * How many instances share a store: the highest number that was alive at one time in the last ten
 * minutes, without those that have signed off since.
 *
 * <p>It is the highest number, because a share of a limit must not grow when other instances have
 * just lost their connection. Instances that left do not count, because they hand out nothing any
 * more: three instances that are replaced one by one count as three, or four while two overlap,
 * never six. An instance that dies without signing off counts for ten minutes. Used by one thread
 * at a time.
 */
final class InstanceCount {
  static final Duration REMEMBERED = Duration.ofMinutes(10);

  private final Deque<Sample> samples = new ArrayDeque<>();

  /** An instance that has left, by the server's clock. */
  record Departure(long joinedMicros, long leftMicros) {
    boolean wasAliveAt(long micros) {
      return joinedMicros <= micros && micros < leftMicros;
    }
  }

  private static final class Sample {
    final long nanoTime;
    final long serverMicros;
    int alive;

    Sample(long nanoTime, long serverMicros, int alive) {
      this.nanoTime = nanoTime;
      this.serverMicros = serverMicros;
      this.alive = alive;
    }
  }

  /**
   * @param nanoTime the time of this process
   * @param serverMicros the time of the server when it counted
   * @param departures those since the previous reply
   */
  void heard(long nanoTime, long serverMicros, int alive, List<Departure> departures) {
    for (Departure departure : departures) {
      for (Sample sample : samples) {
        sample.alive -= departure.wasAliveAt(sample.serverMicros) ? 1 : 0;
      }
    }
    samples.addLast(new Sample(nanoTime, serverMicros, alive));
    expire(nanoTime);
  }

  /** Drops old counts, but never the latest: in an outage there is no newer one. */
  private void expire(long nanoTime) {
    long oldest = nanoTime - REMEMBERED.toNanos();
    while (samples.size() > 1 && samples.getFirst().nanoTime - oldest < 0) {
      samples.removeFirst();
    }
  }

  /** Empty before the first reply; otherwise 1 or more, because this instance counts. */
  OptionalInt highest() {
    return samples.stream().mapToInt(sample -> Math.max(1, sample.alive)).max();
  }
}
