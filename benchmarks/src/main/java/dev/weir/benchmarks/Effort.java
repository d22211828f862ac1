package dev.weir.benchmarks;

import org.openjdk.jmh.runner.options.TimeValue;

/** How long to measure. */
public enum Effort {
  SHORT(3, 6, 9, 100),
  FULL(7, 10, 20, 250);

  final int rounds;
  final int warmups;
  final int iterations;
  private final long iterationMillis;

  Effort(int rounds, int warmups, int iterations, long iterationMillis) {
    this.rounds = rounds;
    this.warmups = warmups;
    this.iterations = iterations;
    this.iterationMillis = iterationMillis;
  }

  TimeValue iterationTime() {
    return TimeValue.milliseconds(iterationMillis);
  }

  String inWords() {
    return "%d interleaved rounds, each a fresh JVM with %d warm-up and %d measured iterations"
        .concat(" of %d ms")
        .formatted(rounds, warmups, iterations, iterationMillis);
  }
}
