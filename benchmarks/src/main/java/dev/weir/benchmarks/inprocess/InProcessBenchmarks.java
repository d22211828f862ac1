package dev.weir.benchmarks.inprocess;

import dev.weir.benchmarks.inprocess.ForkedRun.InProcessSample;
import dev.weir.benchmarks.inprocess.ForkedRun.InProcessTiming;
import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.TryAcquire.InProcessWorkload;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.PlotFiles;
import dev.weir.benchmarks.report.ProgressLine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.openjdk.jmh.runner.RunnerException;

/** Runs all contenders in turn, round after round, so that what disturbs one disturbs all. */
public final class InProcessBenchmarks {
  private static final int ATTEMPTS = 3;
  private static final double QUIET = 0.1;

  private final InProcessTiming timing;
  private final ProgressLine progress;
  private final InProcessMeasurements measured = new InProcessMeasurements();

  private InProcessBenchmarks(InProcessTiming timing, ProgressLine progress) {
    this.timing = timing;
    this.progress = progress;
  }

  /** Measures everything and draws the plots; returns the tables. */
  public static String measure(Effort effort, Path images, boolean terminal)
      throws RunnerException, IOException, InterruptedException {
    InProcessTiming timing = InProcessTiming.of(effort);
    ProgressLine progress = new ProgressLine(System.out, terminal, steps(timing), System::nanoTime);
    InProcessMeasurements measured = new InProcessBenchmarks(timing, progress).run();
    PlotFiles.write(new InProcessPlots(measured).all(), images);
    return new InProcessReport(measured).render(timing);
  }

  private InProcessMeasurements run() throws RunnerException, IOException, InterruptedException {
    for (InProcessContender contender : InProcessContender.values()) {
      progress.next("heap per key", contender.title);
      measured.setBytesPerKey(contender, HeapPerKey.bytesPerKey(contender));
    }
    for (int round = 0; round < timing.rounds; round++) {
      for (InProcessWorkload workload : InProcessWorkload.values()) {
        take(round, workload);
      }
    }
    progress.end();
    return measured;
  }

  private void take(int round, InProcessWorkload workload) throws RunnerException {
    for (InProcessContender contender : order(round)) {
      progress.next(
          "round %d of %d, %s".formatted(round + 1, timing.rounds, workload.title),
          contender.title);
      measured.add(workload, contender, leastDisturbed(workload, contender));
    }
  }

  /**
   * Repeats a run that other programs disturbed; never because of its result, which would be
   * selection.
   */
  private InProcessSample leastDisturbed(InProcessWorkload workload, InProcessContender contender)
      throws RunnerException {
    InProcessSample best = ForkedRun.measure(workload, contender, timing);
    for (int attempt = 1; attempt < ATTEMPTS && best.disturbed() > QUIET; attempt++) {
      InProcessSample again = ForkedRun.measure(workload, contender, timing);
      best = again.disturbed() < best.disturbed() ? again : best;
    }
    return best;
  }

  /** Another contender begins each round, so that none always runs first. */
  private static List<InProcessContender> order(int round) {
    List<InProcessContender> order = new ArrayList<>(List.of(InProcessContender.values()));
    Collections.rotate(order, -round);
    return order;
  }

  private static int steps(InProcessTiming timing) {
    return InProcessContender.values().length
        * (1 + timing.rounds * InProcessWorkload.values().length);
  }

  /** Everything that one run has measured, by round. Not safe for many threads. */
  static final class InProcessMeasurements {
    private final Map<InProcessWorkload, Map<InProcessContender, List<InProcessSample>>> samples =
        new EnumMap<>(InProcessWorkload.class);
    private final Map<InProcessContender, Double> bytesPerKey =
        new EnumMap<>(InProcessContender.class);

    void add(InProcessWorkload workload, InProcessContender contender, InProcessSample sample) {
      samples
          .computeIfAbsent(workload, w -> new EnumMap<>(InProcessContender.class))
          .computeIfAbsent(contender, c -> new ArrayList<>())
          .add(sample);
    }

    void setBytesPerKey(InProcessContender contender, double bytes) {
      bytesPerKey.put(contender, bytes);
    }

    double bytesPerKey(InProcessContender contender) {
      return bytesPerKey.get(contender);
    }

    MedianAndRange nanos(InProcessWorkload workload, InProcessContender contender) {
      return spread(workload, contender, InProcessSample::nanos);
    }

    MedianAndRange bytes(InProcessWorkload workload, InProcessContender contender) {
      return spread(workload, contender, InProcessSample::bytes);
    }

    /** The share of the processors that other programs used, over all rounds of everything. */
    MedianAndRange disturbed() {
      return MedianAndRange.of(
          samples.values().stream()
              .flatMap(byContender -> byContender.values().stream())
              .flatMap(List::stream)
              .map(InProcessSample::disturbed)
              .toList());
    }

    /**
     * How many times the cost of {@code b} the cost of {@code a} is, of two contenders that took
     * turns: the ratio is taken within each round, so that a slow minute of the machine hits both.
     */
    MedianAndRange ratio(InProcessWorkload workload, InProcessContender a, InProcessContender b) {
      List<InProcessSample> of = rounds(workload, a);
      List<InProcessSample> to = rounds(workload, b);
      return MedianAndRange.of(
          IntStream.range(0, of.size())
              .mapToObj(round -> of.get(round).nanos() / to.get(round).nanos())
              .toList());
    }

    private MedianAndRange spread(
        InProcessWorkload workload,
        InProcessContender contender,
        ToDoubleFunction<InProcessSample> part) {
      return MedianAndRange.of(
          rounds(workload, contender).stream().map(part::applyAsDouble).toList());
    }

    private List<InProcessSample> rounds(InProcessWorkload workload, InProcessContender contender) {
      return samples.get(workload).get(contender);
    }
  }
}
