package dev.weir.benchmarks.filter;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.PerformanceTarget;
import dev.weir.benchmarks.report.ProgressLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Measures filters and the decisions inside them in turn, and writes what the filters add. */
public final class FilterBenchmarks {
  private static final double MOST_MICROS = 5;

  private final Map<FilterContender, List<Double>> nanos = new EnumMap<>(FilterContender.class);

  private FilterBenchmarks() {}

  /** Measures everything; returns the tables. */
  public static String measure(Effort effort, boolean terminal)
      throws IOException, InterruptedException {
    int rounds = effort == Effort.SHORT ? 1 : 7;
    FilterContender[] contenders = FilterContender.values();
    ProgressLine progress =
        new ProgressLine(System.out, terminal, rounds * contenders.length, System::nanoTime);
    FilterBenchmarks benchmarks = new FilterBenchmarks();
    for (int round = 0; round < rounds; round++) {
      for (FilterContender contender : contenders) {
        progress.next("round %d of %d".formatted(round + 1, rounds), contender.title);
        benchmarks
            .nanos
            .computeIfAbsent(contender, added -> new ArrayList<>())
            .add(FilteredRequest.nanos(contender));
      }
    }
    progress.end();
    return benchmarks.report(rounds);
  }

  private String report(int rounds) {
    MarkdownTable table = MarkdownTable.ofNumbers(List.of("one allowed request", "ns"));
    for (FilterContender contender : FilterContender.values()) {
      table.row(List.of(contender.title, MedianAndRange.of(nanos.get(contender)).asNumber()));
    }
    List<PerformanceTarget> targets =
        List.of(
            target("one limiter", FilterContender.WEIR_KEY, FilterContender.WEIR_DECISION),
            target(
                "three limits", FilterContender.WEIR_RULES, FilterContender.WEIR_RULES_DECISION));
    return String.join(
        "\n",
        "Machine: " + MeasurementSetup.machine() + ".\n",
        "Versions: " + MeasurementSetup.versions(List.of("Weir", "Bucket4j")) + ".\n",
        "Rounds: %d, each a fresh JVM per row with %s. CPU time.\n"
            .formatted(rounds, FilteredRequest.inWords()),
        PerformanceTarget.table(targets).toString(),
        "The filter around Bucket4j adds %s µs to its decision.\n"
            .formatted(
                added(FilterContender.BUCKET4J_KEY, FilterContender.BUCKET4J_DECISION).asRatio()),
        table.toString());
  }

  private PerformanceTarget target(String what, FilterContender filter, FilterContender decision) {
    return PerformanceTarget.atMost(
        "P19",
        "the filter adds at most %.0f µs to the decision, %s".formatted(MOST_MICROS, what),
        MOST_MICROS,
        added(filter, decision));
  }

  /** In microseconds, taken within each round. */
  private MedianAndRange added(FilterContender filter, FilterContender decision) {
    List<Double> with = nanos.get(filter);
    List<Double> without = nanos.get(decision);
    return MedianAndRange.of(
        IntStream.range(0, with.size())
            .mapToObj(round -> (with.get(round) - without.get(round)) / 1000)
            .toList());
  }
}
