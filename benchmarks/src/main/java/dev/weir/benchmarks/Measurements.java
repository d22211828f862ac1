package dev.weir.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Everything that one run has measured, by round. Not safe for many threads. */
final class Measurements {
  private final Map<Workload, Map<Contender, List<Sample>>> samples = new EnumMap<>(Workload.class);
  private final Map<Contender, Double> bytesPerKey = new EnumMap<>(Contender.class);

  void add(Workload workload, Contender contender, Sample sample) {
    samples
        .computeIfAbsent(workload, w -> new EnumMap<>(Contender.class))
        .computeIfAbsent(contender, c -> new ArrayList<>())
        .add(sample);
  }

  void setBytesPerKey(Contender contender, double bytes) {
    bytesPerKey.put(contender, bytes);
  }

  double bytesPerKey(Contender contender) {
    return bytesPerKey.get(contender);
  }

  Spread nanos(Workload workload, Contender contender) {
    return spread(workload, contender, Sample::nanos);
  }

  Spread bytes(Workload workload, Contender contender) {
    return spread(workload, contender, Sample::bytes);
  }

  /** The share of the processors that other programs used, over all rounds of everything. */
  Spread disturbed() {
    return Spread.of(
        samples.values().stream()
            .flatMap(byContender -> byContender.values().stream())
            .flatMap(List::stream)
            .map(Sample::disturbed)
            .toList());
  }

  /**
   * How many times the cost of {@code b} the cost of {@code a} is, of two contenders that took
   * turns: the ratio is taken within each round, so that a slow minute of the machine hits both.
   */
  Spread ratio(Workload workload, Contender a, Contender b) {
    List<Sample> of = rounds(workload, a);
    List<Sample> to = rounds(workload, b);
    return Spread.of(
        IntStream.range(0, of.size())
            .mapToObj(round -> of.get(round).nanos() / to.get(round).nanos())
            .toList());
  }

  private Spread spread(Workload workload, Contender contender, ToDoubleFunction<Sample> part) {
    return Spread.of(rounds(workload, contender).stream().map(part::applyAsDouble).toList());
  }

  private List<Sample> rounds(Workload workload, Contender contender) {
    return samples.get(workload).get(contender);
  }
}
