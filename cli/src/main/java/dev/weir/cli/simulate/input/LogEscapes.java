package dev.weir.cli.simulate.input;

/**
 * Undoes what web servers do to a request line in their logs: nginx writes {@code \xHH} for a byte
 * that is not printable, a quotation mark or a backslash; Apache also {@code \\}, {@code \"} and
 * {@code \n}. Bytes become characters of the same number, as in header fields.
 */
final class LogEscapes {
  private LogEscapes() {}

  static String decode(String text) {
    int at = text.indexOf('\\');
    if (at < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length()).append(text, 0, at);
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c != '\\' || at + 1 == text.length()) {
        out.append(c);
        at++;
      } else if (isByte(text, at)) {
        out.append((char) Integer.parseInt(text, at + 2, at + 4, 16));
        at += 4;
      } else {
        out.append(decoded(text.charAt(at + 1)));
        at += 2;
      }
    }
    return out.toString();
  }

  private static boolean isByte(String text, int at) {
    return text.charAt(at + 1) == 'x'
        && at + 4 <= text.length()
        && Character.digit(text.charAt(at + 2), 16) >= 0
        && Character.digit(text.charAt(at + 3), 16) >= 0;
  }

  private static String decoded(char letter) {
    return switch (letter) {
      case 'b' -> "\b";
      case 'f' -> "\f";
      case 'n' -> "\n";
      case 'r' -> "\r";
      case 't' -> "\t";
      case 'v' -> "\u000b";
      case '"' -> "\"";
      case '\\' -> "\\";
      default -> "\\" + letter;
    };
  }
}
