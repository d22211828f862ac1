package dev.weir.server;

/** Refuses numbers out of range; {@code Check} of core has the other checks. */
final class OptionChecks {
  private OptionChecks() {}

  static int between(String name, int value, int least, int most) {
    return (int) between(name, (long) value, least, most);
  }

  static long between(String name, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          name + " must be between " + least + " and " + most + ", was " + value);
    }
    return value;
  }
}
