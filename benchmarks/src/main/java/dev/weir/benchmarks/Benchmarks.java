package dev.weir.benchmarks;

import dev.weir.benchmarks.envoy.GrpcBenchmarks;
import dev.weir.benchmarks.filter.FilterBenchmarks;
import dev.weir.benchmarks.inprocess.InProcessBenchmarks;
import dev.weir.benchmarks.lease.LeaseBenchmarks;
import dev.weir.benchmarks.redis.RedisBenchmarks;
import dev.weir.benchmarks.redis.TopologyBenchmarks;
import dev.weir.benchmarks.service.ServiceBenchmarks;
import dev.weir.benchmarks.service.WarmStart;
import dev.weir.benchmarks.soak.Soak;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import org.openjdk.jmh.runner.RunnerException;

/** The program: measures everything, and writes the tables of the report; or soaks the service. */
public final class Benchmarks {
  private static final int WRONG_USE = 2;

  private Benchmarks() {}

  public static void main(String[] arguments)
      throws IOException, RunnerException, InterruptedException {
    if (arguments.length > 0 && arguments[0].equals("soak")) {
      System.exit(Soak.run(Arrays.copyOfRange(arguments, 1, arguments.length)));
    }
    if (arguments.length > 0 && arguments[0].equals("leases")) {
      LeaseBenchmarks.run(Arrays.asList(arguments).contains("--short"));
      System.exit(0);
    }
    BenchmarkOptions options;
    GeneratedSection report;
    try {
      options = BenchmarkOptions.parse(arguments);
      // Read first, so that a report that cannot be written fails at once and not after an hour.
      report = GeneratedSection.parse(Files.readString(options.report()), options.place().part);
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage() + "\n" + BenchmarkOptions.USAGE);
      System.exit(WRONG_USE);
      return;
    }
    Files.writeString(options.report(), report.with(measure(options)));
    System.out.println("wrote " + options.report());
  }

  private static String measure(BenchmarkOptions options)
      throws IOException, RunnerException, InterruptedException {
    boolean terminal = System.console() != null;
    return switch (options.place()) {
      case PROCESS -> InProcessBenchmarks.measure(options.effort(), terminal);
      case REDIS -> RedisBenchmarks.measure(options.effort(), options.images(), terminal);
      case TOPOLOGY -> TopologyBenchmarks.measure(options.effort(), terminal);
      case START -> WarmStart.measure(options.effort(), terminal);
      case HTTP -> ServiceBenchmarks.measure(options.effort(), terminal);
      case ENVOY -> GrpcBenchmarks.measure(options.effort());
      case FILTER -> FilterBenchmarks.measure(options.effort(), terminal);
    };
  }

  /** A text of which one part, between two marks, is written by a program. Immutable. */
  record GeneratedSection(String before, String begin, String end, String after) {
    /** Each kind of measurement has its own part of the same text. */
    static GeneratedSection parse(String text, String part) {
      String begin = "<!-- " + part + ": begin -->";
      String end = "<!-- " + part + ": end -->";
      int from = text.indexOf(begin);
      int to = text.indexOf(end);
      if (from < 0 || to < from) {
        throw new IllegalArgumentException("text must hold " + begin + " and then " + end);
      }
      return new GeneratedSection(
          text.substring(0, from), begin, end, text.substring(to + end.length()));
    }

    String with(String measured) {
      return before + begin + "\n\n" + measured + "\n" + end + after;
    }
  }
}
