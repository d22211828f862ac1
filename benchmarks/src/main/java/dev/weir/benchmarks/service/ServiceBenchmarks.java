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
  /** The compiler needs that long on two busy processors, and longer for more code. */
  private static final double WARM_UP_SECONDS = 30;

  private static final int ROUNDS_PER_START = 3;
  private static final double SECONDS = 3;
  private static final double TARGET = 0.6;
  private static final long KEYS = 1_000_000;
  private static final double MEBIBYTE = 1 << 20;

  private final int starts;
  private final ProgressLine progress;
  private final Map<LoadShape, Map<ServiceVariant, List<Double>>> perSecond =
      new EnumMap<>(LoadShape.class);

  private ServiceBenchmarks(Effort effort, boolean terminal) {
    starts = effort == Effort.SHORT ? 1 : 3;
    int steps = starts * (1 + ROUNDS_PER_START) * ServiceVariant.IN_MEMORY.size() + 1;
    progress = new ProgressLine(System.out, terminal, steps, System::nanoTime);
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
    for (int start = 0; start < starts; start++) {
      measureOneStart();
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

  /** All run at the same time and get their load in turns. */
  private void measureOneStart() throws IOException, InterruptedException {
    Map<ServiceVariant, ServiceProcess> running = new EnumMap<>(ServiceVariant.class);
    try {
      for (ServiceVariant variant : ServiceVariant.IN_MEMORY) {
        progress.next("warming up", variant.title);
        ServiceProcess process = ServiceProcess.start(variant);
        running.put(variant, process);
        load(process, LoadShape.IN_ROWS).perSecond(WARM_UP_SECONDS / 2);
        load(process, LoadShape.ONE_AT_A_TIME).perSecond(WARM_UP_SECONDS / 2);
      }
      for (int round = 0; round < ROUNDS_PER_START; round++) {
        for (ServiceVariant variant : ServiceVariant.IN_MEMORY) {
          progress.next("requests per second", variant.title);
          measure(variant, running.get(variant));
        }
      }
    } finally {
      running.values().forEach(ServiceProcess::close);
    }
  }

  private void measure(ServiceVariant variant, ServiceProcess process)
      throws IOException, InterruptedException {
    for (LoadShape shape : LoadShape.values()) {
      perSecond
          .get(shape)
          .computeIfAbsent(variant, fresh -> new ArrayList<>())
          .add(load(process, shape).perSecond(SECONDS));
    }
  }

  private static HttpLoad load(ServiceProcess process, LoadShape shape) {
    return new HttpLoad(process.port(), shape, ServiceBenchmarks::body);
  }

  /** Of a thousand users in turn. */
  static String body(long number) {
    return ofUser(number % 1000);
  }

  private static String ofUser(long number) {
    return "{\"attributes\": {\"user\": \"user-" + number + "\", \"path\": \"/api/items\"}}";
  }

  /**
   * So much that it takes a quarter of an hour to come back, and nothing is forgotten meanwhile.
   */
  private static String costly(long number) {
    return ofUser(number).replaceFirst("}$", ", \"permits\": 10000}");
  }

  private String howMeasured() {
    return "Measured in "
        + starts
        + " x "
        + ROUNDS_PER_START
        + " interleaved rounds of "
        + (int) SECONDS
        + " s after "
        + (int) WARM_UP_SECONDS
        + " s of warming up fresh JVMs, from a client on the same machine.\n\n";
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
    for (int round = 0; round < starts * ROUNDS_PER_START; round++) {
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
