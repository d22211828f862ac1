package dev.weir.rules.internal.read;

import java.util.Locale;

/** Constants as they are written in rules and answers: in small letters, with dashes. */
public final class KebabCase {
  private KebabCase() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
