package dev.weir.cli.simulate.input;

import java.util.regex.Pattern;

/** Reads JSON from one line, part by part; strict. Not safe for many threads. */
final class JsonLineScanner {
  private static final int DEEPEST = 64;
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,9})?");

  private final String text;
  private int next;

  JsonLineScanner(String text) {
    this.text = text;
  }

  /** The next character that is not white space, not yet consumed; 0 at the end. */
  char peek() {
    while (next < text.length() && isSpace(text.charAt(next))) {
      next++;
    }
    return next < text.length() ? text.charAt(next) : 0;
  }

  void expect(char wanted) {
    if (peek() != wanted) {
      throw wrong("'" + wanted + "' is expected");
    }
    next++;
  }

  /** Consumes the character if it is the next one. */
  boolean skip(char wanted) {
    if (peek() != wanted) {
      return false;
    }
    next++;
    return true;
  }

  void end() {
    if (peek() != 0 || next < text.length()) {
      throw wrong("nothing is expected");
    }
  }

  String string() {
    expect('"');
    int start = next;
    while (next < text.length()) {
      char c = text.charAt(next);
      if (c == '"') {
        return text.substring(start, next++);
      }
      if (c == '\\') {
        return escapedString(start);
      }
      if (c < ' ') {
        throw wrong("a control character must be escaped");
      }
      next++;
    }
    throw wrong("a string does not end");
  }

  private String escapedString(int start) {
    StringBuilder out = new StringBuilder(text.substring(start, next));
    while (next < text.length()) {
      char c = text.charAt(next++);
      if (c == '"') {
        return out.toString();
      }
      if (c < ' ') {
        throw wrong("a control character must be escaped");
      }
      out.append(c == '\\' ? escape() : c);
    }
    throw wrong("a string does not end");
  }

  private char escape() {
    char c = next < text.length() ? text.charAt(next++) : 0;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode();
      default -> throw wrong("an escape is unknown");
    };
  }

  private char unicode() {
    int value = 0;
    for (int i = 0; i < 4; i++) {
      int digit = next < text.length() ? Character.digit(text.charAt(next++), 16) : -1;
      if (digit < 0) {
        throw wrong("an escape needs four hexadecimal digits");
      }
      value = value * 16 + digit;
    }
    return (char) value;
  }

  /** A number as it is written. */
  String number() {
    peek();
    int start = next;
    while (next < text.length() && isPartOfWord(text.charAt(next))) {
      next++;
    }
    String number = text.substring(start, next);
    if (!isPlainNumber(number) && !NUMBER.matcher(number).matches()) {
      next = start;
      throw wrong("a number is expected");
    }
    return number;
  }

  /** Most are a few digits, and need no pattern to tell. */
  private static boolean isPlainNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return text.length() == 1 || text.length() > 1 && text.charAt(0) != '0';
  }

  /** {@code true}, {@code false} or {@code null}. */
  String word() {
    peek();
    for (String word : new String[] {"true", "false", "null"}) {
      if (text.startsWith(word, next)) {
        next += word.length();
        return word;
      }
    }
    throw wrong("a value is expected");
  }

  /** Passes over any value. */
  void skipValue() {
    skipValue(0);
  }

  private void skipValue(int depth) {
    if (depth > DEEPEST) {
      throw wrong("less nesting is expected");
    }
    switch (peek()) {
      case '"' -> string();
      case '{' -> skipMembers(depth);
      case '[' -> skipElements(depth);
      case 't', 'f', 'n' -> word();
      default -> number();
    }
  }

  private void skipMembers(int depth) {
    expect('{');
    if (skip('}')) {
      return;
    }
    do {
      string();
      expect(':');
      skipValue(depth + 1);
    } while (skip(','));
    expect('}');
  }

  private void skipElements(int depth) {
    expect('[');
    if (skip(']')) {
      return;
    }
    do {
      skipValue(depth + 1);
    } while (skip(','));
    expect(']');
  }

  MalformedLineException wrong(String expectation) {
    return new MalformedLineException("no JSON: " + expectation + " at column " + (next + 1));
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private static boolean isPartOfWord(char c) {
    return c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
  }
}
