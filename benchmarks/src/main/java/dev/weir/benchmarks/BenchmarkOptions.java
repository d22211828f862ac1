package dev.weir.benchmarks;

import dev.weir.benchmarks.report.Effort;
import java.nio.file.Path;

/** The options of the command line. */
record BenchmarkOptions(Place place, Effort effort, Path report) {
  static final String USAGE =
      """
      usage: java -jar benchmarks/target/benchmarks.jar [redis|topology|http|start|envoy|filter] [--short] [--report FILE]
        redis           over a Redis that it starts, instead of in one process
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
      or: java -jar benchmarks/target/benchmarks.jar soak [--minutes N]
        loads the service for minutes while its rules and its Redis are disturbed\
      """;

  /** What is measured, and the name of its part of the report. */
  enum Place {
    PROCESS("measured"),
    REDIS("measured over Redis"),
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
