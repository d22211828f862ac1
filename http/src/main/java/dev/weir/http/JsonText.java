package dev.weir.http;

import java.util.List;

/** Writes strings as JSON: valid whatever they hold, also as UTF-8 and on a line of its own. */
final class JsonText {
  private JsonText() {}

  static void string(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ' || isLoneSurrogate(text, i)) {
        escaped(c, out);
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  static void strings(List<String> texts, StringBuilder out) {
    out.append('[');
    for (int i = 0; i < texts.size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      string(texts.get(i), out);
    }
    out.append(']');
  }

  /** Half of a pair has no UTF-8 form, so an encoder would silently replace it. */
  private static boolean isLoneSurrogate(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  private static void escaped(char c, StringBuilder out) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(Character.forDigit(c >> shift & 0xf, 16));
    }
  }
}
