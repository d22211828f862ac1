package dev.weir.internal.text;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value, member by member, on one line. Not safe for many threads.
 *
 * <p>Strings are valid whatever they hold: control characters and lone surrogates, which have no
 * UTF-8 form, are escaped. Names of members are not escaped, so they must be constants of ours.
 */
public final class JsonWriter {
  private final StringBuilder out;
  private final boolean asciiOnly;
  private boolean needsComma;

  /** Appends to a text that may hold something already. */
  public JsonWriter(StringBuilder out) {
    this(out, false);
  }

  private JsonWriter(StringBuilder out, boolean asciiOnly) {
    this.out = out;
    this.asciiOnly = asciiOnly;
  }

  /** Escapes everything outside printable ASCII: for text of requests that people read. */
  public static JsonWriter asciiOnly(StringBuilder out) {
    return new JsonWriter(out, true);
  }

  /** Continues an object that ends the text and has members, so that further ones follow. */
  public static JsonWriter reopenObject(StringBuilder out) {
    out.setLength(out.length() - 1);
    JsonWriter writer = new JsonWriter(out);
    writer.needsComma = true;
    return writer;
  }

  public JsonWriter beginObject() {
    return open('{');
  }

  public JsonWriter endObject() {
    return close('}');
  }

  public JsonWriter beginArray() {
    return open('[');
  }

  /** An array as the value of a member. */
  public JsonWriter beginArray(String name) {
    return name(name).open('[');
  }

  public JsonWriter endArray() {
    return close(']');
  }

  public JsonWriter member(String name, @Nullable String value) {
    name(name);
    if (value == null) {
      return raw("null");
    }
    string(value);
    needsComma = true;
    return this;
  }

  public JsonWriter member(String name, boolean value) {
    name(name);
    out.append(value);
    needsComma = true;
    return this;
  }

  public JsonWriter member(String name, long value) {
    name(name);
    out.append(value);
    needsComma = true;
    return this;
  }

  public JsonWriter member(String name, List<String> values) {
    beginArray(name);
    for (String value : values) {
      comma();
      string(value);
      needsComma = true;
    }
    return endArray();
  }

  /** A value that is JSON already. */
  public JsonWriter rawMember(String name, String json) {
    return name(name).raw(json);
  }

  private JsonWriter open(char bracket) {
    comma();
    out.append(bracket);
    needsComma = false;
    return this;
  }

  private JsonWriter close(char bracket) {
    out.append(bracket);
    needsComma = true;
    return this;
  }

  private JsonWriter name(String name) {
    comma();
    out.append('"').append(name).append("\":");
    needsComma = false;
    return this;
  }

  private JsonWriter raw(String text) {
    out.append(text);
    needsComma = true;
    return this;
  }

  private void comma() {
    if (needsComma) {
      out.append(',');
    }
  }

  private void string(String text) {
    out.append('"');
    if (needsNoEscape(text)) {
      out.append(text);
    } else {
      escaped(text);
    }
    out.append('"');
  }

  /** True for nearly every text; this runs for every request of the service. */
  private static boolean needsNoEscape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private void escaped(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (mustBeEscaped(text, i)) {
        escape(c);
      } else {
        out.append(c);
      }
    }
  }

  private boolean mustBeEscaped(String text, int at) {
    char c = text.charAt(at);
    return c < ' ' || (asciiOnly ? c > '~' : isLoneSurrogate(text, at));
  }

  private static boolean isLoneSurrogate(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  private void escape(char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(Character.forDigit(c >> shift & 0xf, 16));
    }
  }
}
