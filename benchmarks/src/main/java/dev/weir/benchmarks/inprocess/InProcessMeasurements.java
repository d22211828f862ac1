package dev.weir.benchmarks.inprocess;

import dev.weir.benchmarks.inprocess.ForkedRun.InProcessSample;
import dev.weir.benchmarks.report.MedianAndRange;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Everything that one run has measured, by round. Not safe for many threads. */
final class InProcessMeasurements {
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
