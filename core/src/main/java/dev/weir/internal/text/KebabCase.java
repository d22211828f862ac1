package dev.weir.internal.text;

import java.util.Locale;

/** Constants as they are written in rules, answers and metrics: {@code deny-cache}. */
public final class KebabCase {
  private KebabCase() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
