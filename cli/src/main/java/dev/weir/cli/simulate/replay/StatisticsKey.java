package dev.weir.cli.simulate.replay;

import dev.weir.internal.BoundedKey;

/** A key as statistics hold it: a long one is its beginning and a digest of the whole. */
final class StatisticsKey {
  private static final int LONGEST = 200;
  private static final int BEGINNING = 150;

  private StatisticsKey() {}

  static String of(String key) {
    return key.length() <= LONGEST
        ? key
        : key.substring(0, BEGINNING) + "..." + BoundedKey.digest(key);
  }
}
