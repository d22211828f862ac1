package dev.weir.http;

/** Escapes such as {@code %2F} (RFC 3986, 2.1). */
final class PercentEscape {
  static final int LENGTH = 3;

  /** What may stand in a segment besides letters and digits, but for the semicolon. */
  private static final String HARMLESS_MARKS = "-._~!$&'()*+,=:@";

  private PercentEscape() {}

  /** Whether a whole escape stands here. */
  static boolean isAt(String text, int at) {
    return at + LENGTH <= text.length()
        && text.charAt(at) == '%'
        && isHex(text.charAt(at + 1))
        && isHex(text.charAt(at + 2));
  }

  /** The byte that an escape stands for, as a character; only in ASCII is that its meaning. */
  static char decoded(String text, int at) {
    return pair(text, at + 1);
  }

  /**
   * Decodes escapes of characters that mean the same escaped or not, once. Other escapes stay, with
   * their digits in capitals.
   */
  static String decodeHarmless(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c != '%') {
        out.append(c);
        at++;
        continue;
      }
      char decoded = decoded(text, at);
      if (meansTheSame(decoded)) {
        out.append(decoded);
      } else {
        out.append('%').append(capital(text.charAt(at + 1))).append(capital(text.charAt(at + 2)));
      }
      at += LENGTH;
    }
    return out.toString();
  }

  /** Whether a character is read alike escaped or not: no delimiter, nothing to be escaped. */
  private static boolean meansTheSame(char c) {
    return isLetter(c) || isDigit(c) || HARMLESS_MARKS.indexOf(c) >= 0;
  }

  /**
   * Whether an escaped percent sign begins another escape, {@code %252F} or {@code %25252F}, of a
   * character that could matter to a rule once it is decoded again. {@code %2520}, a blank that
   * sloppy clients escape twice, does not.
   */
  static boolean isEscapeOfEscape(String text, int at) {
    if (decoded(text, at) != '%') {
      return false;
    }
    int digits = at + LENGTH;
    while (isHexPair(text, digits) && pair(text, digits) == '%') {
      digits += 2;
    }
    if (!isHexPair(text, digits)) {
      return false;
    }
    char inner = pair(text, digits);
    return meansTheSame(inner) || "/\\;\0\u00c0\u00c1".indexOf(inner) >= 0;
  }

  /** Whether a sequence of UTF-8 begins here that is longer than its character needs. */
  static boolean isOverlong(String text, int at) {
    if (!isAt(text, at + LENGTH)) {
      return false;
    }
    char first = decoded(text, at);
    char second = decoded(text, at + LENGTH);
    return switch (first) {
      case 0xc0, 0xc1 -> second >= 0x80 && second < 0xc0;
      case 0xe0 -> second >= 0x80 && second < 0xa0;
      case 0xf0 -> second >= 0x80 && second < 0x90;
      default -> false;
    };
  }

  static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static boolean isHexPair(String text, int at) {
    return at + 2 <= text.length() && isHex(text.charAt(at)) && isHex(text.charAt(at + 1));
  }

  private static char pair(String text, int at) {
    int high = Character.digit(text.charAt(at), 16);
    return (char) (high << 4 | Character.digit(text.charAt(at + 1), 16));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHex(char c) {
    return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
  }

  private static char capital(char hex) {
    return hex < 'a' ? hex : (char) (hex - 'a' + 'A');
  }
}
