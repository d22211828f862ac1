package dev.weir.benchmarks.soak;

import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** The windows that lie within some time from edge to edge, by number. */
record Windows(long first, long end) {
  static Windows within(long fromMillis, long toMillis) {
    long length = SoakRules.WINDOW_MILLIS;
    return new Windows((fromMillis + length - 1) / length, toMillis / length);
  }

  void forEach(LongConsumer action) {
    numbers().forEach(action);
  }

  /** How many of them were all well. */
  long wellIn(Timeline timeline) {
    long length = SoakRules.WINDOW_MILLIS;
    return numbers().filter(n -> timeline.wellBetween(n * length, (n + 1) * length)).count();
  }

  long count() {
    return Math.max(0, end - first);
  }

  private LongStream numbers() {
    return LongStream.range(first, end);
  }
}
