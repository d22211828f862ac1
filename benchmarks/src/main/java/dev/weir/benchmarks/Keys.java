package dev.weir.benchmarks;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The keys, the same for all contenders. */
final class Keys {
  private static final long SEED = 42;

  private Keys() {}

  static List<String> first(int count) {
    return IntStream.range(0, count).mapToObj(number -> "user-" + number).toList();
  }

  /** Keys in an order that no cache can foresee. */
  static String[] shuffled(List<String> keys, int length) {
    return new Random(SEED).ints(length, 0, keys.size()).mapToObj(keys::get).toArray(String[]::new);
  }
}
