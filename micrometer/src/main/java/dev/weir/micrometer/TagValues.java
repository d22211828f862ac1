package dev.weir.micrometer;

import java.util.Locale;

/** Constants as they are written everywhere else: {@code DENY_CACHE} is {@code deny-cache}. */
final class TagValues {
  private TagValues() {}

  static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
