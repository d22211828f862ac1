package dev.weir.benchmarks;

import dev.weir.benchmarks.envoy.GrpcBenchmarks;
import dev.weir.benchmarks.filter.FilterBenchmarks;
import dev.weir.benchmarks.inprocess.InProcessBenchmarks;
import dev.weir.benchmarks.lease.LeaseBenchmarks;
import dev.weir.benchmarks.redis.CallerThreadBenchmarks;
import dev.weir.benchmarks.redis.RedisBenchmarks;
import dev.weir.benchmarks.redis.TopologyBenchmarks;
import dev.weir.benchmarks.report.Effort;
import dev.weir.benchmarks.service.DashboardBenchmarks;
import dev.weir.benchmarks.service.ServiceBenchmarks;
import dev.weir.benchmarks.service.WarmStart;
import dev.weir.benchmarks.soak.Soak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    if (arguments.length > 0 && arguments[0].equals("pages")) {
      DashboardBenchmarks.run(Arrays.asList(arguments).contains("--short"));
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
      case PROCESS -> InProcessBenchmarks.measure(options.effort(), options.images(), terminal);
      case REDIS -> RedisBenchmarks.measure(options.effort(), options.images(), terminal);
      case THREADS -> CallerThreadBenchmarks.measure(options.effort(), terminal);
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

  /** The options of the command line. */
  record BenchmarkOptions(Place place, Effort effort, Path report) {
    static final String USAGE =
        """
        usage: java -jar benchmarks/target/benchmarks.jar [redis|threads|topology|http|start|envoy|filter] [--short] [--report FILE]
          redis           over a Redis that it starts, instead of in one process
          threads         the same with platform and with virtual threads; needs Java 21 or newer
          topology        over a Cluster, and over a server that is far away
          start           the service in its first seconds, over Redis
          http            the service over HTTP, and its memory
          envoy           the service over gRPC, and what a decision costs Redis
          filter          what a servlet filter adds to a decision
          --short         about ten minutes instead of about an hour
          --report FILE   where to write, between its two marks; docs/benchmarks.md unless given;
                          plots go to the folder images beside it
        or: java -jar benchmarks/target/benchmarks.jar leases [--short]
          hot keys with and without leases, over a Redis that it starts; about two minutes
        or: java -jar benchmarks/target/benchmarks.jar pages [--short]
          what ten open pages of the dashboard cost the service; about five minutes
        or: java -jar benchmarks/target/benchmarks.jar soak [--minutes N]
          loads the service for minutes while its rules and its Redis are disturbed\
        """;

    /** What is measured, and the name of its part of the report. */
    enum Place {
      PROCESS("measured"),
      REDIS("measured over Redis"),
      THREADS("measured with threads"),
      TOPOLOGY("measured over several and far servers"),
      START("measured after the start"),
      HTTP("measured over HTTP"),
      ENVOY("measured over gRPC"),
      FILTER("measured in a filter");

      final String part;

      Place(String part) {
        this.part = part;
      }
    }

    static BenchmarkOptions parse(String... arguments) {
      Place place = Place.PROCESS;
      Effort effort = Effort.FULL;
      Path report = Path.of("docs", "benchmarks.md");
      for (int i = 0; i < arguments.length; i++) {
        switch (arguments[i]) {
          case "redis" -> place = Place.REDIS;
          case "threads" -> place = Place.THREADS;
          case "topology" -> place = Place.TOPOLOGY;
          case "start" -> place = Place.START;
          case "http" -> place = Place.HTTP;
          case "envoy" -> place = Place.ENVOY;
          case "filter" -> place = Place.FILTER;
          case "--short" -> effort = Effort.SHORT;
          case "--report" -> report = Path.of(value(arguments, ++i));
          default -> throw new IllegalArgumentException("unknown option, was " + arguments[i]);
        }
      }
      return new BenchmarkOptions(place, effort, report);
    }

    Path images() {
      return report.resolveSibling("images");
    }

    private static String value(String[] arguments, int index) {
      if (index == arguments.length) {
        throw new IllegalArgumentException(arguments[index - 1] + " must be followed by a value");
      }
      return arguments[index];
    }
  }
}
