package dev.weir.benchmarks.service;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.PerformanceTarget;
import dev.weir.benchmarks.report.ProgressLine;
import dev.weir.benchmarks.service.HttpLoad.LoadShape;
import dev.weir.testkit.RedisProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The program for the first seconds of a service (P16): half of the load that it can bear when it
 * is warm, from the moment it is ready on; the first ten seconds next to those after them.
 */
public final class WarmStart {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final double WARM_UP_SECONDS = 10;
  private static final double CAPACITY_SECONDS = 5;

  private final Duration later;
  private final ProgressLine progress;

  private WarmStart(Effort effort, boolean terminal) {
    later = effort == Effort.SHORT ? Duration.ofSeconds(20) : Duration.ofMinutes(1);
    progress = new ProgressLine(System.out, terminal, 2, System::nanoTime);
  }

  /** Measures everything; returns the tables. */
  public static String measure(Effort effort, boolean terminal)
      throws IOException, InterruptedException {
    return new WarmStart(effort, terminal).run();
  }

  private String run() throws IOException, InterruptedException {
    try (RedisProcess redis = RedisProcess.start()) {
      progress.next("capacity", "when it is warm");
      double half = capacity(redis.uri()) / 2;
      progress.next("half of it", "from ready on");
      Histogram early = new Histogram(3);
      Histogram late = new Histogram(3);
      double byPolicy;
      try (ServiceProcess fresh = ServiceProcess.start(ServiceVariant.OVER_REDIS, redis.uri())) {
        SteadyLoad load = new SteadyLoad(fresh.port(), half);
        load.run(FIRST, early);
        load.run(later, late);
        byPolicy = answeredByPolicy(fresh.port());
      }
      progress.end();
      return report(half, early, late, byPolicy);
    }
  }

  private static double capacity(String redis) throws IOException, InterruptedException {
    try (ServiceProcess warm = ServiceProcess.start(ServiceVariant.OVER_REDIS, redis)) {
      HttpLoad load = new HttpLoad(warm.port(), LoadShape.ONE_AT_A_TIME, SteadyLoad::body);
      load.perSecond(WARM_UP_SECONDS);
      return load.perSecond(CAPACITY_SECONDS);
    }
  }

  private static double answeredByPolicy(int port) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(metrics(port))).build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.ofLines())
        .body()
        .filter(line -> line.startsWith("weir_decisions_") && line.contains("source=\"fallback\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private static String metrics(int port) {
    return "http://127.0.0.1:" + port + "/metrics";
  }

  private String report(double perSecond, Histogram early, Histogram late, double byPolicy) {
    double ratio = (double) early.getValueAtPercentile(99) / late.getValueAtPercentile(99);
    List<PerformanceTarget> targets =
        List.of(
            PerformanceTarget.atMost(
                "P16",
                "p99 of the first ten seconds after ready at most 3 x that of the time after them",
                3,
                MedianAndRange.of(List.of(ratio))),
            new PerformanceTarget(
                "P16",
                "nothing answered by a failure policy",
                "%.0f".formatted(byPolicy),
                byPolicy));
    MarkdownTable table =
        MarkdownTable.ofNumbers(List.of("over Redis", "requests", "p50", "p99", "longest"));
    row(table, "first 10 s", early);
    row(table, "next " + later.toSeconds() + " s", late);
    return "Machine: "
        + MeasurementSetup.machine()
        + ".\n\nHalf of what the warm service bears: %.0f requests per second".formatted(perSecond)
        + ", sent at their times whatever the answers do.\n\n"
        + PerformanceTarget.table(targets)
        + "\n"
        + table;
  }

  private static void row(MarkdownTable table, String when, Histogram micros) {
    table.row(
        List.of(
            when,
            String.valueOf(micros.getTotalCount()),
            millis(micros.getValueAtPercentile(50)),
            millis(micros.getValueAtPercentile(99)),
            millis(micros.getMaxValue())));
  }

  private static String millis(long micros) {
    return "%.2f ms".formatted(micros / 1e3);
  }
}
