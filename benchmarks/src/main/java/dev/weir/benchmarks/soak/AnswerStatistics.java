package dev.weir.benchmarks.soak;

import dev.weir.benchmarks.soak.CheckAnswer.RequestKind;
import dev.weir.benchmarks.soak.Disturbances.DisturbanceTimeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts answers by what they were and when. Safe for many threads. */
final class AnswerStatistics {
  private final DisturbanceTimeline timeline;
  private final Map<RequestKind, Map<Long, WindowCount>> windows = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> faults = new ConcurrentHashMap<>();
  private final Histogram wellMicros = new ConcurrentHistogram(3);
  private final Histogram disturbedMicros = new ConcurrentHistogram(3);
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong fallbacks = new AtomicLong();
  private final AtomicLong recoveryMillis = new AtomicLong();

  AnswerStatistics(DisturbanceTimeline timeline) {
    this.timeline = timeline;
  }

  void add(CheckAnswer answer) {
    boolean well = timeline.wellBetween(answer.sentMillis(), answer.doneMillis());
    answers.incrementAndGet();
    if (!timeline.measuredBetween(answer.sentMillis(), answer.doneMillis())) {
      (well ? wellMicros : disturbedMicros).recordValue(answer.micros());
    }
    answer.fault(well).ifPresent(this::fault);
    if (answer.isFallback()) {
      fallbacks.incrementAndGet();
      recoveryMillis.accumulateAndGet(timeline.sinceEndMillis(answer.sentMillis()), Math::max);
    }
    if (answer.admitted() && answer.kind().limited) {
      count(answer, answer.window());
      if (!answer.inOneWindow()) {
        count(answer, answer.window() + 1);
      }
    }
  }

  private void count(CheckAnswer answer, long window) {
    windowsOf(answer.kind()).computeIfAbsent(window, fresh -> new WindowCount()).add(answer);
  }

  /** Records a fault. */
  void fault(String inWords) {
    faults.computeIfAbsent(inWords, fresh -> new AtomicLong()).incrementAndGet();
  }

  /** The faults, each once with its count. */
  List<String> faults() {
    List<String> all = new ArrayList<>();
    faults.forEach((inWords, times) -> all.add(inWords + ", " + times + " times"));
    return all.stream().sorted().toList();
  }

  /** By number; a window in which nothing was admitted is missing. */
  Map<Long, WindowCount> windowsOf(RequestKind kind) {
    return windows.computeIfAbsent(kind, fresh -> new ConcurrentHashMap<>());
  }

  /** Of answers while all was well. */
  Histogram wellMicros() {
    return wellMicros;
  }

  /** Of answers during a fault or shortly after, those left out that a collection held up. */
  Histogram disturbedMicros() {
    return disturbedMicros;
  }

  long answers() {
    return answers.get();
  }

  /** Answers without Redis. */
  long fallbacks() {
    return fallbacks.get();
  }

  /** The longest after the end of a fault that an instance still answered without Redis. */
  long recoveryMillis() {
    return recoveryMillis.get();
  }

  /** The windows that lie within some time from edge to edge, by number. */
  record WindowRange(long first, long end) {
    static WindowRange within(long fromMillis, long toMillis) {
      long length = SoakRules.WINDOW_MILLIS;
      return new WindowRange((fromMillis + length - 1) / length, toMillis / length);
    }

    void forEach(LongConsumer action) {
      numbers().forEach(action);
    }

    /** How many of them were all well. */
    long wellIn(DisturbanceTimeline timeline) {
      long length = SoakRules.WINDOW_MILLIS;
      return numbers().filter(n -> timeline.wellBetween(n * length, (n + 1) * length)).count();
    }

    long count() {
      return Math.max(0, end - first);
    }

    private LongStream numbers() {
      return LongStream.range(first, end);
    }
  }

  /**
   * What was admitted in one window of one kind. Safe for many threads.
   *
   * <p>An answer that was under way at the edge may count in the window before or after it: it is
   * left out where too much would be wrong, and counted in both where too little would be.
   */
  static final class WindowCount {
    private long byStore;
    private long byStoreAtEdge;
    private long byShare;

    synchronized void add(CheckAnswer answer) {
      if (answer.isFallback()) {
        byShare += answer.inOneWindow() ? 1 : 0;
      } else if (answer.inOneWindow()) {
        byStore++;
      } else {
        byStoreAtEdge++;
      }
    }

    /** Admitted by Redis in this window and no other. */
    synchronized long byStore() {
      return byStore;
    }

    /** Admitted by Redis in this window or one next to it. */
    synchronized long byStoreAtMost() {
      return byStore + byStoreAtEdge;
    }

    /** Admitted by policy, or by the shares of all instances. */
    synchronized long byShare() {
      return byShare;
    }
  }
}
