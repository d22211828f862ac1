package dev.weir.benchmarks.redis;

import dev.weir.benchmarks.Effort;
import java.time.Duration;

/** How long to measure. */
enum Pace {
  SHORT(3, 2, 300, 900),
  FULL(7, 3, 1_000, 3_000);

  final int rounds;

  /** At most so many tries while other programs are busy. */
  final int attempts;

  final Duration warmup;
  final Duration length;

  Pace(int rounds, int attempts, long warmupMillis, long lengthMillis) {
    this.rounds = rounds;
    this.attempts = attempts;
    this.warmup = Duration.ofMillis(warmupMillis);
    this.length = Duration.ofMillis(lengthMillis);
  }

  static Pace of(Effort effort) {
    return switch (effort) {
      case SHORT -> SHORT;
      case FULL -> FULL;
    };
  }

  String inWords() {
    return "%d interleaved rounds after one that does not count, each turn %d ms after %d ms of"
        .concat(" warming up")
        .formatted(rounds, length.toMillis(), warmup.toMillis());
  }
}
