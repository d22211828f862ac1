package dev.weir.http;

/** Escapes such as {@code %2F} (RFC 3986, 2.1). */
final class PercentEscape {
  static final int LENGTH = 3;

  private PercentEscape() {}

  /** Whether a whole escape stands here. */
  static boolean isAt(CharSequence text, int at, int end) {
    return text.charAt(at) == '%'
        && at + LENGTH <= end
        && isHex(text.charAt(at + 1))
        && isHex(text.charAt(at + 2));
  }

  /** The byte an escape stands for, as a character: its meaning only if it is in ASCII. */
  static char decoded(CharSequence text, int at) {
    int high = Character.digit(text.charAt(at + 1), 16);
    return (char) (high << 4 | Character.digit(text.charAt(at + 2), 16));
  }

  /** Whether an escape stays as it is. */
  static boolean isNormal(CharSequence text, int at) {
    return !isUnreserved(decoded(text, at))
        && isCapital(text.charAt(at + 1))
        && isCapital(text.charAt(at + 2));
  }

  static void appendInCapitals(CharSequence text, int at, StringBuilder out) {
    out.append('%').append(capital(text.charAt(at + 1))).append(capital(text.charAt(at + 2)));
  }

  /** Whether a stray {@code %} or {@code %4} that ends the text could grow into an escape. */
  static boolean isCompletedBy(char next, CharSequence text) {
    int length = text.length();
    boolean percent = text.charAt(length - 1) == '%';
    boolean half = length > 1 && text.charAt(length - 2) == '%' && isHex(text.charAt(length - 1));
    return (percent || half) && isHex(next);
  }

  /** What means the same escaped or not (RFC 3986, 2.3). */
  static boolean isUnreserved(char c) {
    return isLetter(c) || isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
  }

  static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHex(char c) {
    return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
  }

  private static boolean isCapital(char hex) {
    return hex < 'a';
  }

  private static char capital(char hex) {
    return isCapital(hex) ? hex : (char) (hex - 'a' + 'A');
  }
}
