package dev.weir.benchmarks;

import java.nio.file.Path;

/** What the command line asks for. */
record Options(Effort effort, Path report) {
  static final String USAGE =
      """
      usage: java -jar benchmarks/target/benchmarks.jar [--short] [--report FILE]
        --short         about ten minutes instead of about an hour
        --report FILE   where to write, between its two marks; docs/benchmarks.md unless given""";

  static Options parse(String... arguments) {
    Effort effort = Effort.FULL;
    Path report = Path.of("docs", "benchmarks.md");
    for (int i = 0; i < arguments.length; i++) {
      switch (arguments[i]) {
        case "--short" -> effort = Effort.SHORT;
        case "--report" -> report = Path.of(value(arguments, ++i));
        default -> throw new IllegalArgumentException("unknown option, was " + arguments[i]);
      }
    }
    return new Options(effort, report);
  }

  private static String value(String[] arguments, int index) {
    if (index == arguments.length) {
      throw new IllegalArgumentException(arguments[index - 1] + " must be followed by a value");
    }
    return arguments[index];
  }
}
