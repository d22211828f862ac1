package dev.weir.rules.json;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value, member by member. Not safe for many threads.
 *
 * <p>Text comes from requests, so everything outside printable ASCII is escaped: no line breaks in
 * logs, no lone surrogates, nothing that depends on an encoding.
 */
public final class JsonWriter {
  private static final int MICROS_PER_MILLI = 1000;

  private final StringBuilder out = new StringBuilder(256);
  private boolean needsComma;

  /** Nothing written yet. */
  public JsonWriter() {}

  public JsonWriter beginObject() {
    return open('{');
  }

  public JsonWriter endObject() {
    return close('}');
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
    quote(value);
    needsComma = true;
    return this;
  }

  public JsonWriter member(String name, boolean value) {
    return name(name).raw(Boolean.toString(value));
  }

  public JsonWriter member(String name, long value) {
    return name(name).raw(Long.toString(value));
  }

  public JsonWriter nullMember(String name) {
    return name(name).raw("null");
  }

  /** In whole milliseconds, rounded up: whoever waits that long has waited enough. */
  public JsonWriter millis(String name, Duration value) {
    long micros = value.getSeconds() * 1_000_000 + value.getNano() / 1000;
    return member(name, (micros + MICROS_PER_MILLI - 1) / MICROS_PER_MILLI);
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
