package dev.weir.benchmarks.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Counts answers by what they were and when. Safe for many threads. */
final class SoakTally {
  private final Timeline timeline;
  private final Map<Kind, Map<Long, WindowCount>> windows = new ConcurrentHashMap<>();
  private final Map<String, AtomicLong> faults = new ConcurrentHashMap<>();
  private final Histogram wellMicros = new ConcurrentHistogram(3);
  private final Histogram disturbedMicros = new ConcurrentHistogram(3);
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong fallbacks = new AtomicLong();
  private final AtomicLong recoveryMillis = new AtomicLong();

  SoakTally(Timeline timeline) {
    this.timeline = timeline;
  }

  void add(Answer answer) {
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

  private void count(Answer answer, long window) {
    windowsOf(answer.kind()).computeIfAbsent(window, fresh -> new WindowCount()).add(answer);
  }

  /** Notes what must not be. */
  void fault(String inWords) {
    faults.computeIfAbsent(inWords, fresh -> new AtomicLong()).incrementAndGet();
  }

  /** What must not be, each once and with how often it was. */
  List<String> faults() {
    List<String> all = new ArrayList<>();
    faults.forEach((inWords, times) -> all.add(inWords + ", " + times + " times"));
    return all.stream().sorted().toList();
  }

  /** By number; a window in which nothing was admitted is missing. */
  Map<Long, WindowCount> windowsOf(Kind kind) {
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

  /** Answers that Redis had no part in. */
  long fallbacks() {
    return fallbacks.get();
  }

  /** The longest after the end of a fault that an instance still answered without Redis. */
  long recoveryMillis() {
    return recoveryMillis.get();
  }
}
