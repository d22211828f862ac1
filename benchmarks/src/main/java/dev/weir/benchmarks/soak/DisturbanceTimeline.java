package dev.weir.benchmarks.soak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** When something was done to Redis or to an instance. Written by one thread, read by many. */
final class DisturbanceTimeline {
  /** How long after a fault answers may still be those of the failure policy. */
  static final long GRACE_MILLIS = 5000;

  /** How exactly the begin and the end of a fault are known. */
  private static final long SLACK_MILLIS = 500;

  private static final long NOT_YET = Long.MAX_VALUE / 2;

  private final List<ActInterval> intervals = new CopyOnWriteArrayList<>();

  /** What was done. */
  enum Act {
    /** Redis was killed and started again, empty. */
    KILLED,
    /** Redis was suspended and resumed. */
    SUSPENDED,
    /** An instance was made to collect its garbage. */
    MEASURED
  }

  private record ActInterval(Act act, long beginMillis, long endMillis) {
    boolean touches(long fromMillis, long toMillis) {
      return beginMillis <= toMillis && endMillis + GRACE_MILLIS >= fromMillis;
    }
  }

  /** Before it is done. */
  void begin(Act act, long nowMillis) {
    intervals.add(new ActInterval(act, nowMillis, NOT_YET));
  }

  /** After what began last is undone. */
  void end(long nowMillis) {
    ActInterval last = intervals.get(intervals.size() - 1);
    intervals.set(intervals.size() - 1, new ActInterval(last.act, last.beginMillis, nowMillis));
  }

  /** Whether no fault lasted in this time or ended shortly before it. */
  boolean wellBetween(long fromMillis, long toMillis) {
    return intervals.stream().noneMatch(interval -> interval.touches(fromMillis, toMillis));
  }

  /** Whether an instance was made to collect its garbage in this time. */
  boolean measuredBetween(long fromMillis, long toMillis) {
    return intervals.stream()
        .filter(interval -> interval.act == Act.MEASURED)
        .anyMatch(interval -> interval.beginMillis <= toMillis && interval.endMillis >= fromMillis);
  }

  /** How many states Redis can have had in this time: one at first, one more after each kill. */
  long livesBetween(long fromMillis, long toMillis) {
    return 1
        + intervals.stream()
            .filter(interval -> interval.act == Act.KILLED)
            .filter(interval -> interval.beginMillis > fromMillis - SLACK_MILLIS)
            .filter(interval -> interval.endMillis < toMillis + SLACK_MILLIS)
            .count();
  }

  /** Milliseconds since the latest fault ended; 0 while one lasts, or if there was none. */
  long sinceEndMillis(long nowMillis) {
    return intervals.stream()
        .mapToLong(interval -> Math.max(0, nowMillis - interval.endMillis))
        .reduce((earlier, later) -> later)
        .orElse(0);
  }
}
