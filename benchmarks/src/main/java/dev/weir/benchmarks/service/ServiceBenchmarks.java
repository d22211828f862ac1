package dev.weir.benchmarks.service;

import dev.weir.benchmarks.Effort;
import dev.weir.benchmarks.Machine;
import dev.weir.benchmarks.MarkdownTable;
import dev.weir.benchmarks.Progress;
import dev.weir.benchmarks.Spread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The program over HTTP: the service next to an empty handler, in turns; and its memory. */
public final class ServiceBenchmarks {
  private static final double WARM_UP_SECONDS = 5;
  private static final double SECONDS = 3;
  private static final double TARGET = 0.6;
  private static final long KEYS = 1_000_000;
  private static final double MEBIBYTE = 1 << 20;

  private final int rounds;
  private final Progress progress;
  private final Map<Served, List<Double>> perSecond = new EnumMap<>(Served.class);

  private ServiceBenchmarks(Effort effort, boolean terminal) {
    rounds = effort == Effort.SHORT ? 3 : 9;
    progress =
        new Progress(System.out, terminal, rounds * Served.values().length + 1, System::nanoTime);
    for (Served served : Served.values()) {
      perSecond.put(served, new ArrayList<>());
    }
  }

  /** Measures everything; returns the tables. */
  public static String measure(Effort effort, boolean terminal)
      throws IOException, InterruptedException {
    return new ServiceBenchmarks(effort, terminal).run();
  }

  private String run() throws IOException, InterruptedException {
    for (int round = 0; round < rounds; round++) {
      for (Served served : Served.values()) {
        progress.next("requests per second", served.title);
        perSecond.get(served).add(measure(served));
      }
    }
    progress.next("memory", "a million keys");
    String memory = memory();
    progress.end();
    return "Machine: " + Machine.inWords() + ".\n\n" + howMeasured() + speed() + "\n" + memory;
  }

  private static double measure(Served served) throws IOException, InterruptedException {
    try (ServedProcess process = ServedProcess.start(served)) {
      Load load = new Load(process.port(), number -> body(number % 1000));
      load.perSecond(WARM_UP_SECONDS);
      return load.perSecond(SECONDS);
    }
  }

  private static String body(long number) {
    return "{\"attributes\": {\"user\": \"user-" + number + "\", \"path\": \"/api/items\"}}";
  }

  private String howMeasured() {
    return "Measured in "
        + rounds
        + " interleaved rounds of "
        + (int) SECONDS
        + " s after "
        + (int) WARM_UP_SECONDS
        + " s of warming up, a fresh JVM each; "
        + Load.inWords()
        + ", from a client on the same machine.\n\n";
  }

  private String speed() {
    MarkdownTable table =
        MarkdownTable.ofNumbers(List.of("", "requests per second", "to the empty handler"));
    for (Served served : Served.values()) {
      Spread speed = Spread.of(perSecond.get(served));
      Spread ratio = ratio(served);
      table.row(List.of(served.title, thousands(speed), number("%.2f", ratio)));
    }
    Spread ratio = ratio(Served.ONE_LIMIT);
    String verdict =
        ratio.median() >= TARGET
            ? "met"
            : String.format(Locale.ROOT, "missed by %.0f %%", 100 * (1 - ratio.median() / TARGET));
    return "P14, at least 0.6 of an empty handler: " + verdict + ".\n\n" + table;
  }

  private Spread ratio(Served served) {
    List<Double> ratios = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      ratios.add(perSecond.get(served).get(round) / perSecond.get(Served.EMPTY).get(round));
    }
    return Spread.of(ratios);
  }

  private static String thousands(Spread spread) {
    return String.format(
        Locale.ROOT,
        "%.1fk (%.1fk to %.1fk)",
        spread.median() / 1000,
        spread.least() / 1000,
        spread.most() / 1000);
  }

  private static String number(String format, Spread spread) {
    String each = format + " (" + format + " to " + format + ")";
    return String.format(Locale.ROOT, each, spread.median(), spread.least(), spread.most());
  }

  private static String memory() throws IOException, InterruptedException {
    try (ServedProcess process = ServedProcess.start(Served.ONE_LIMIT)) {
      MarkdownTable table =
          MarkdownTable.ofNumbers(List.of("memory of the service", "heap in use", "resident"));
      addMemory("at idle", process, table);
      new Load(process.port(), ServiceBenchmarks::body).ask(KEYS);
      addMemory("with a million keys in use", process, table);
      return table.toString();
    }
  }

  private static void addMemory(String when, ServedProcess process, MarkdownTable table)
      throws IOException {
    String heap = mebibytes(process.heapBytes());
    table.row(List.of(when, heap, mebibytes(process.residentBytes())));
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%.0f MiB", bytes / MEBIBYTE);
  }
}
