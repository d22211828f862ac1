package dev.weir.benchmarks.service;

import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.report.MarkdownTable;
import dev.weir.benchmarks.report.MeasurementSetup;
import dev.weir.benchmarks.report.MedianAndRange;
import dev.weir.benchmarks.report.ProgressLine;
import dev.weir.benchmarks.service.HttpLoad.LoadShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The program over HTTP: the service next to an empty handler, in turns; and its memory. */
public final class ServiceBenchmarks {
  private static final double WARM_UP_SECONDS = 12;
  private static final double SECONDS = 3;
  private static final double TARGET = 0.6;
  private static final long KEYS = 1_000_000;
  private static final double MEBIBYTE = 1 << 20;

  private final int rounds;
  private final ProgressLine progress;
  private final Map<LoadShape, Map<ServiceVariant, List<Double>>> perSecond =
      new EnumMap<>(LoadShape.class);

  private ServiceBenchmarks(Effort effort, boolean terminal) {
    rounds = effort == Effort.SHORT ? 3 : 9;
    progress =
        new ProgressLine(
            System.out, terminal, rounds * ServiceVariant.IN_MEMORY.size() + 1, System::nanoTime);
    for (LoadShape shape : LoadShape.values()) {
      perSecond.put(shape, new EnumMap<>(ServiceVariant.class));
    }
  }

  /** Measures everything; returns the tables. */
  public static String measure(Effort effort, boolean terminal)
      throws IOException, InterruptedException {
    return new ServiceBenchmarks(effort, terminal).run();
  }

  private String run() throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      for (ServiceVariant variant : ServiceVariant.IN_MEMORY) {
        progress.next("requests per second", variant.title);
        measure(variant);
      }
    }
    progress.next("memory", "a million keys");
    String memory = memory();
    progress.end();
    return "Machine: "
        + MeasurementSetup.machine()
        + ".\n\n"
        + howMeasured()
        + speed()
        + "\n"
        + memory;
  }

  private void measure(ServiceVariant variant) throws IOException, InterruptedException {
    try (ServiceProcess process = ServiceProcess.start(variant)) {
      load(process, LoadShape.IN_ROWS).perSecond(WARM_UP_SECONDS);
      for (LoadShape shape : LoadShape.values()) {
        perSecond
            .get(shape)
            .computeIfAbsent(variant, fresh -> new ArrayList<>())
            .add(load(process, shape).perSecond(SECONDS));
      }
    }
  }

  private static HttpLoad load(ServiceProcess process, LoadShape shape) {
    return new HttpLoad(process.port(), shape, number -> body(number % 1000));
  }

  private static String body(long number) {
    return "{\"attributes\": {\"user\": \"user-" + number + "\", \"path\": \"/api/items\"}}";
  }

  /**
   * So much that it takes a quarter of an hour to come back, and nothing is forgotten meanwhile.
   */
  private static String costly(long number) {
    return body(number).replaceFirst("}$", ", \"permits\": 10000}");
  }

  private String howMeasured() {
    return "Measured in "
        + rounds
        + " interleaved rounds of "
        + (int) SECONDS
        + " s after "
        + (int) WARM_UP_SECONDS
        + " s of warming up, a fresh JVM each, from a client on the same machine.\n\n";
  }

  private String speed() {
    MedianAndRange ratio = ratio(LoadShape.ONE_AT_A_TIME, ServiceVariant.ONE_LIMIT);
    String verdict =
        ratio.median() >= TARGET
            ? "met"
            : String.format(Locale.ROOT, "missed by %.0f %%", 100 * (1 - ratio.median() / TARGET));
    StringBuilder out =
        new StringBuilder("P14, at least 0.6 of an empty handler: " + verdict + ".\n");
    for (LoadShape shape : LoadShape.values()) {
      out.append('\n').append(speed(shape));
    }
    return out.toString();
  }

  private MarkdownTable speed(LoadShape shape) {
    MarkdownTable table =
        MarkdownTable.ofNumbers(
            List.of("requests " + shape.inWords, "per second", "to the empty handler"));
    for (ServiceVariant variant : ServiceVariant.IN_MEMORY) {
      MedianAndRange speed = MedianAndRange.of(perSecond.get(shape).get(variant));
      table.row(List.of(variant.title, thousands(speed), number("%.2f", ratio(shape, variant))));
    }
    return table;
  }

  private MedianAndRange ratio(LoadShape shape, ServiceVariant variant) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      double empty = perSecond.get(shape).get(ServiceVariant.EMPTY).get(round);
      ratios.add(perSecond.get(shape).get(variant).get(round) / empty);
    }
    return MedianAndRange.of(ratios);
  }

  private static String thousands(MedianAndRange spread) {
    return String.format(
        Locale.ROOT,
        "%.1fk (%.1fk to %.1fk)",
        spread.median() / 1000,
        spread.least() / 1000,
        spread.most() / 1000);
  }

  private static String number(String format, MedianAndRange spread) {
    String each = format + " (" + format + " to " + format + ")";
    return String.format(Locale.ROOT, each, spread.median(), spread.least(), spread.most());
  }

  private static String memory() throws IOException, InterruptedException {
    try (ServiceProcess process = ServiceProcess.start(ServiceVariant.ONE_LIMIT)) {
      MarkdownTable table =
          MarkdownTable.ofNumbers(List.of("memory of the service", "heap in use", "resident"));
      addMemory("at idle", process, table);
      new HttpLoad(process.port(), LoadShape.IN_ROWS, ServiceBenchmarks::costly).ask(KEYS);
      addMemory("with a million keys in use", process, table);
      return table.toString();
    }
  }

  private static void addMemory(String when, ServiceProcess process, MarkdownTable table)
      throws IOException {
    String heap = mebibytes(process.heapBytes());
    table.row(List.of(when, heap, mebibytes(process.residentBytes())));
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.0f MiB", bytes / MEBIBYTE);
  }
}
