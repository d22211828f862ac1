package dev.weir.cli.console;

import java.util.stream.Collectors;

/** Text of others, without what would move a terminal's cursor or colour its text. */
public final class Printable {
  private Printable() {}

  public static String text(String text) {
    return text.codePoints().mapToObj(Printable::shown).collect(Collectors.joining());
  }

  private static String shown(int point) {
    boolean harmless =
        !Character.isISOControl(point) && Character.getType(point) != Character.FORMAT;
    return harmless ? Character.toString(point) : String.format("\\u%04x", point);
  }
}
