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
 * <p>The highest, because a share of a limit must not grow when others have just lost their
 * connection. Without those that left, because they hand out nothing any more: three instances that
 * are replaced one by one count as three, or four while two overlap, never six. An instance that
 * dies without signing off counts for ten minutes. Used by one thread at a time.
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
   * @param nanoTime of this process
   * @param serverMicros of the server, when it counted
   * @param departures since the reply before
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

  /** Forgets what is too old, but never the latest: during an outage nothing newer is known. */
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
