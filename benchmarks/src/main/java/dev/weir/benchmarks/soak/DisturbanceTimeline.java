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

  private final List<Span> spans = new CopyOnWriteArrayList<>();

  /** What was done. */
  enum Act {
    /** Redis was killed and started again, empty. */
    KILLED,
    /** Redis was suspended and resumed. */
    SUSPENDED,
    /** An instance was made to collect its garbage. */
    MEASURED
  }

  private record Span(Act act, long beginMillis, long endMillis) {
    boolean touches(long fromMillis, long toMillis) {
      return beginMillis <= toMillis && endMillis + GRACE_MILLIS >= fromMillis;
    }
  }

  /** Before it is done. */
  void begin(Act act, long nowMillis) {
    spans.add(new Span(act, nowMillis, NOT_YET));
  }

  /** After what began last is undone. */
  void end(long nowMillis) {
    Span last = spans.get(spans.size() - 1);
    spans.set(spans.size() - 1, new Span(last.act, last.beginMillis, nowMillis));
  }

  /** Whether nothing lasted in this time, nor had ended shortly before it. */
  boolean wellBetween(long fromMillis, long toMillis) {
    return spans.stream().noneMatch(span -> span.touches(fromMillis, toMillis));
  }

  /** Whether an instance was made to collect its garbage in this time. */
  boolean measuredBetween(long fromMillis, long toMillis) {
    return spans.stream()
        .filter(span -> span.act == Act.MEASURED)
        .anyMatch(span -> span.beginMillis <= toMillis && span.endMillis >= fromMillis);
  }

  /** How often Redis was empty in this time, the state it came with counted as one. */
  long livesBetween(long fromMillis, long toMillis) {
    return 1
        + spans.stream()
            .filter(span -> span.act == Act.KILLED)
            .filter(span -> span.beginMillis > fromMillis - SLACK_MILLIS)
            .filter(span -> span.endMillis < toMillis + SLACK_MILLIS)
            .count();
  }

  /** How long before this instant the latest fault has ended; 0 while one lasts or without any. */
  long sinceEndMillis(long nowMillis) {
    return spans.stream()
        .mapToLong(span -> Math.max(0, nowMillis - span.endMillis))
        .reduce((earlier, later) -> later)
        .orElse(0);
  }
}
