package dev.weir.http;

import java.nio.charset.StandardCharsets;

/**
 * Writes a List of Strings with Integer and String parameters as RFC 9651 wants it. Not safe for
 * many threads.
 *
 * <p>A String holds printable ASCII only. Any other character becomes the bytes of its UTF-8 form,
 * each as a percent sign and two hex digits, so nothing that is put in can end the field.
 */
final class StructuredFieldList {
  /** The largest Integer: 15 digits. */
  static final long MAX_INTEGER = 999_999_999_999_999L;

  private final StringBuilder out = new StringBuilder(64);

  void item(String value) {
    if (!out.isEmpty()) {
      out.append(", ");
    }
    out.append('"');
    if (needsNoEscape(value)) {
      out.append(value);
    } else {
      value.codePoints().forEach(this::character);
    }
    out.append('"');
  }

  /** True for nearly every name; this runs for every request. */
  private static boolean needsNoEscape(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  /** Adds a parameter to the latest item; a value too large becomes the largest. */
  void parameter(String name, long value) {
    out.append(';').append(name).append('=').append(Math.min(value, MAX_INTEGER));
  }

  /** Adds a parameter to the latest item. */
  void parameter(String name, String value) {
    out.append(';').append(name).append("=\"").append(value).append('"');
  }

  boolean isEmpty() {
    return out.isEmpty();
  }

  @Override
  public String toString() {
    return out.toString();
  }

  private void character(int codePoint) {
    if (codePoint < ' ' || codePoint > '~') {
      percentEncoded(codePoint);
      return;
    }
    if (codePoint == '"' || codePoint == '\\') {
      out.append('\\');
    }
    out.append((char) codePoint);
  }

  private void percentEncoded(int codePoint) {
    for (byte octet : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
      out.append('%').append(Character.forDigit(octet >> 4 & 0xf, 16));
      out.append(Character.forDigit(octet & 0xf, 16));
    }
  }
}
