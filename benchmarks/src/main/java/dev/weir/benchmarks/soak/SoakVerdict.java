package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.soak.AnswerStatistics.WindowCount;
import dev.weir.benchmarks.soak.AnswerStatistics.WindowRange;
import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceLog;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline;
import dev.weir.benchmarks.soak.ServiceInstance.Vitals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What was wrong, in words; nothing if all was as promised. */
final class SoakVerdict {
  /** What the bounded memories of an instance may still grow by after the first minute. */
  static final long GROWTH_BYTES = 32L << 20;

  private static final int MORE_THREADS = 4;
  private static final int MORE_FILES = 8;

  private final AnswerStatistics statistics;
  private final DisturbanceTimeline timeline;
  private final List<String> wrong;

  private SoakVerdict(AnswerStatistics statistics, DisturbanceTimeline timeline) {
    this.statistics = statistics;
    this.timeline = timeline;
    this.wrong = new ArrayList<>(statistics.faults());
  }

  /**
   * @param windows the first and the one after the last that were under load from edge to edge
   */
  static List<String> of(
      AnswerStatistics statistics,
      DisturbanceTimeline timeline,
      WindowRange windows,
      DisturbanceLog log) {
    SoakVerdict verdict = new SoakVerdict(statistics, timeline);
    for (RequestKind kind : RequestKind.values()) {
      if (kind.limited) {
        windows.forEach(window -> verdict.window(kind, window));
      }
    }
    verdict.slowest(log.longestAnswerMillis());
    for (int i = 0; i < log.vitals().size(); i++) {
      verdict.instance(i, log);
    }
    return verdict.wrong;
  }

  private void window(RequestKind kind, long number) {
    Map<Long, WindowCount> windows = statistics.windowsOf(kind);
    WindowCount count = windows.getOrDefault(number, new WindowCount());
    String where = kind + " in window " + number;
    long from = number * SoakRules.WINDOW_MILLIS;
    long to = from + SoakRules.WINDOW_MILLIS;
    long bound = SoakRules.LIMIT * timeline.livesBetween(from, to);
    atMost(where + ": admitted by Redis", count.byStore(), bound);
    if (kind == RequestKind.LOCAL) {
      atMost(where + ": admitted from shares", count.byShare(), SoakRules.LIMIT);
    }
    if (timeline.wellBetween(from, to) && count.byStoreAtMost() < SoakRules.LIMIT) {
      wrong.add(
          "%s: admitted must be %d under overload, was %d"
              .formatted(where, SoakRules.LIMIT, count.byStoreAtMost()));
    }
  }

  private void slowest(long bound) {
    long well = statistics.wellMicros().getMaxValue() / 1000;
    long disturbed = statistics.disturbedMicros().getMaxValue() / 1000;
    atMost("longest answer in milliseconds, while all was well", well, bound);
    atMost("longest answer in milliseconds, around faults", disturbed, bound);
  }

  private void instance(int index, DisturbanceLog log) {
    List<Vitals> vitals = log.vitals().get(index);
    Vitals early = Vitals.baseline(vitals);
    Vitals last = vitals.get(vitals.size() - 1);
    String who = "instance " + (index + 1) + ": ";
    atMost(who + "heap in bytes", last.heapBytes(), early.heapBytes() + GROWTH_BYTES);
    atMost(who + "threads", last.threads(), early.threads() + MORE_THREADS);
    atMost(who + "open files", last.openFiles(), early.openFiles() + MORE_FILES);
    atMost(who + "requests in flight without load", last.inFlight(), 0);
    exactly(who + "version of the rules", last.rulesVersion(), log.rulesVersion(index));
    exactly(who + "versions refused", last.refusedRules(), log.faultyVersions());
  }

  private void atMost(String what, long value, long bound) {
    if (value > bound) {
      wrong.add("%s must be at most %d, was %d".formatted(what, bound, value));
    }
  }

  private void exactly(String what, long value, long expected) {
    if (value != expected) {
      wrong.add("%s must be %d, was %d".formatted(what, expected, value));
    }
  }
}
