package dev.weir.server;

import java.time.Duration;

/** Refuses settings that make no sense, naming the setting, the rule and the value. */
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

  static Duration positive(String name, Duration value) {
    if (value.isZero() || value.isNegative()) {
      throw new IllegalArgumentException(name + " must be longer than zero, was " + value);
    }
    return value;
  }

  static Duration notNegative(String name, Duration value) {
    if (value.isNegative()) {
      throw new IllegalArgumentException(name + " must be zero or longer, was " + value);
    }
    return value;
  }
}
