package dev.weir.benchmarks.redis;

import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.ALGORITHMS_HOT;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.ALGORITHMS_KEYS;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.HOT_256;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.HOT_64;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.HOT_8;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.IN_FLIGHT;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.LIMITS_1;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.LIMITS_64;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.MANY_KEYS;
import static dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload.ONE_CALLER;

import dev.weir.benchmarks.redis.MeasurementRun.RedisSample;
import dev.weir.benchmarks.redis.MeasurementRun.RedisWorkload;
import dev.weir.benchmarks.report.BarChart;
import dev.weir.benchmarks.report.BarChart.Bar;
import dev.weir.benchmarks.report.LineChart;
import dev.weir.benchmarks.report.MarkdownTable;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/** The measurements as plots, by file name. */
final class RedisPlots {
  private static final List<RedisWorkload> CALLERS = List.of(ONE_CALLER, HOT_8, HOT_64, HOT_256);

  private final RedisMeasurements measured;

  RedisPlots(RedisMeasurements measured) {
    this.measured = measured;
  }

  Map<String, String> all() {
    return new TreeMap<>(
        Map.of(
            "redis-callers.svg", callers(),
            "redis-throughput.svg", throughput(),
            "redis-limits.svg", limits(),
            "redis-algorithms.svg", algorithms(),
            "redis-cpu.svg", cpu()));
  }

  private String callers() {
    List<String> places = CALLERS.stream().map(workload -> workload.title).toList();
    LineChart chart =
        new LineChart("One hot key: decisions per second", places, RedisPlots::thousands);
    for (RedisContender contender : RedisContender.SINGLE) {
      chart.line(plain(contender), medians(contender));
    }
    return chart.render();
  }

  private List<Double> medians(RedisContender contender) {
    return CALLERS.stream().map(w -> median(w, contender, RedisSample::perSecond)).toList();
  }

  private String throughput() {
    BarChart chart = new BarChart("Decisions per second", RedisPlots::thousands);
    for (RedisWorkload workload : List.of(HOT_64, MANY_KEYS, IN_FLIGHT)) {
      chart.group(title(workload), bars(workload, RedisSample::perSecond));
    }
    return chart.render();
  }

  private String limits() {
    return new BarChart(
            "Several limits in one decision: microseconds of Redis in the script, per decision",
            MarkdownTable::number)
        .group("1 caller", bars(LIMITS_1, RedisSample::scriptMicros))
        .group("64 callers", bars(LIMITS_64, RedisSample::scriptMicros))
        .render();
  }

  private String algorithms() {
    return new BarChart("The algorithms: decisions per second", RedisPlots::thousands)
        .group("hot key, 64 callers", bars(ALGORITHMS_HOT, RedisSample::perSecond))
        .group("10,000 keys, 64 callers", bars(ALGORITHMS_KEYS, RedisSample::perSecond))
        .render();
  }

  private String cpu() {
    BarChart chart =
        new BarChart("Processor time of Redis per decision, in microseconds", MarkdownTable::number)
            .cutLongBars();
    for (RedisWorkload workload : List.of(ONE_CALLER, MANY_KEYS, IN_FLIGHT)) {
      chart.group(title(workload), bars(workload, RedisSample::cpuMicros));
    }
    return chart.render();
  }

  private List<Bar> bars(RedisWorkload workload, ToDoubleFunction<RedisSample> part) {
    return workload.contenders.stream()
        .map(
            contender ->
                new Bar(
                    label(workload, contender),
                    median(workload, contender, part),
                    contender.name().startsWith("WEIR")))
        .toList();
  }

  private static String label(RedisWorkload workload, RedisContender contender) {
    if (workload.contenders == RedisContender.ALGORITHMS) {
      return RedisReport.algorithm(contender);
    }
    boolean hasOneLimit =
        contender == RedisContender.WEIR && workload.contenders == RedisContender.LIMITS;
    return hasOneLimit ? "Weir, 1 limit" : plain(contender);
  }

  private double median(
      RedisWorkload workload, RedisContender contender, ToDoubleFunction<RedisSample> part) {
    return measured.of(workload, contender, part).median();
  }

  private static String title(RedisWorkload workload) {
    return workload.keys == 1 ? "hot key, " + workload.title : workload.title;
  }

  /** Titles are Markdown. */
  private static String plain(RedisContender contender) {
    return contender.title.replace("`", "");
  }

  static String thousands(double value) {
    return value < 999.5 ? MarkdownTable.whole(value) : MarkdownTable.number(value / 1000) + "k";
  }
}
