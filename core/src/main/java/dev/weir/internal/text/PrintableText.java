package dev.weir.internal.text;

/**
 * Makes text from outside safe to print in messages, logs and on terminals. Control characters,
 * line ends and characters that change the direction of reading become escapes, such as {@code
 * \\u001b}.
 */
public final class PrintableText {
  private static final int MAX_SHOWN = 100;

  private PrintableText() {}

  /** The whole text. */
  public static String of(String text) {
    return shortened(text, Integer.MAX_VALUE);
  }

  /** At most so many characters of the text, and {@code ...} if there are more. */
  public static String shortened(String text, int most) {
    StringBuilder out = new StringBuilder(Math.min(text.length(), most) + 3);
    int at = 0;
    for (int count = 0; at < text.length() && count < most; count++) {
      int point = text.codePointAt(at);
      append(point, out);
      at += Character.charCount(point);
    }
    return at < text.length() ? out.append("...").toString() : out.toString();
  }

  /** Short enough for a message about what was given. */
  public static String shortened(String text) {
    return shortened(text, MAX_SHOWN);
  }

  /** The same in quotation marks. */
  public static String quoted(String text) {
    return '"' + shortened(text) + '"';
  }

  /** Whether a character can be seen, and neither ends a line nor turns its direction. */
  public static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  private static void append(int point, StringBuilder out) {
    if (isPrintable(point)) {
      out.appendCodePoint(point);
    } else {
      out.append(String.format("\\u%04x", point));
    }
  }
}
