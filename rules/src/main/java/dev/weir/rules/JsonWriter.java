package dev.weir.rules;

import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value, member by member. Not safe for many threads.
 *
 * <p>Text comes from requests, so everything outside printable ASCII is escaped: no line breaks in
 * logs, no lone surrogates, nothing that depends on an encoding.
 */
final class JsonWriter {
  private final StringBuilder out = new StringBuilder(256);
  private boolean needsComma;

  JsonWriter beginObject() {
    return open('{');
  }

  JsonWriter endObject() {
    return close('}');
  }

  JsonWriter beginArray() {
    return open('[');
  }

  /** An array as the value of a member. */
  JsonWriter beginArray(String name) {
    return name(name).open('[');
  }

  JsonWriter endArray() {
    return close(']');
  }

  JsonWriter member(String name, @Nullable String value) {
    name(name);
    if (value == null) {
      return raw("null");
    }
    quote(value);
    needsComma = true;
    return this;
  }

  JsonWriter member(String name, boolean value) {
    return name(name).raw(Boolean.toString(value));
  }

  @Override
  public String toString() {
    return out.toString();
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
    quote(name);
    out.append(':');
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

  private void quote(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c >= ' ' && c <= '~') {
        out.append(c);
      } else {
        out.append(String.format("\\u%04x", (int) c));
      }
    }
    out.append('"');
  }
}
