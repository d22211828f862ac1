package dev.weir.redis.internal.diagnosis;

import java.util.Comparator;
import java.util.List;

/**
 * One call that asked a server for its clock.
 *
 * @param millis how long it took
 * @param aheadMillis how far the server's clock is ahead of ours; negative if it is behind
 */
record TimedCall(double millis, double aheadMillis) {
  static final Comparator<TimedCall> BY_DURATION = Comparator.comparingDouble(TimedCall::millis);

  /** Assumes that the server read its clock half-way between sending and receiving. */
  static TimedCall of(List<String> time, long sentMicros, double millis) {
    long serverMicros = Long.parseLong(time.get(0)) * 1_000_000 + Long.parseLong(time.get(1));
    return new TimedCall(millis, (serverMicros - sentMicros) / 1000.0 - millis / 2);
  }
}
