package dev.weir.benchmarks.inprocess;

import dev.weir.benchmarks.inprocess.InProcessBenchmarks.InProcessMeasurements;
import dev.weir.benchmarks.inprocess.LimiterLibrary.InProcessContender;
import dev.weir.benchmarks.inprocess.TryAcquire.InProcessWorkload;
import dev.weir.benchmarks.report.BarChart;
import dev.weir.benchmarks.report.BarChart.Bar;
import dev.weir.benchmarks.report.MarkdownTable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The measurements as plots, by file name. */
final class InProcessPlots {
  private final InProcessMeasurements measured;

  InProcessPlots(InProcessMeasurements measured) {
    this.measured = measured;
  }

  Map<String, String> all() {
    return new TreeMap<>(Map.of("process-time.svg", time(), "process-memory.svg", memory()));
  }

  private String time() {
    BarChart chart = new BarChart("Nanoseconds per decision and thread", MarkdownTable::number);
    for (InProcessWorkload workload : InProcessWorkload.values()) {
      chart.group(workload.title, bars(contender -> measured.nanos(workload, contender).median()));
    }
    return chart.render();
  }

  private String memory() {
    return new BarChart("Bytes of heap per key, of a million keys", MarkdownTable::whole)
        .group("beyond the key's own text", bars(measured::bytesPerKey))
        .render();
  }

  private static List<Bar> bars(ToDoubleFunction<InProcessContender> figure) {
    return Arrays.stream(InProcessContender.values())
        .map(
            contender ->
                new Bar(
                    contender.title,
                    figure.applyAsDouble(contender),
                    contender.name().startsWith("WEIR")))
        .toList();
  }
}
