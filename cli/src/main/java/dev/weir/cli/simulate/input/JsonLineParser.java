package dev.weir.cli.simulate.input;

import java.util.HashMap;
import java.util.Map;

/**
 * A request as JSON: {@code {"at": 1500.25, "attributes": {"user": "a"}, "permits": 1}}.
 *
 * <p>Members that are none of these three are kept apart, for attributes made of them; a log may
 * say more than a limit needs.
 */
final class JsonLineParser {
  private final JsonLineScanner json;
  private final Map<String, String> attributes = new HashMap<>();
  private final Map<String, String> fields;
  private boolean hasAttributes;
  private boolean hasPermits;
  private long atMicros = -1;
  private long permits = 1;

  private JsonLineParser(String text, Map<String, String> fields) {
    this.json = new JsonLineScanner(text);
    this.fields = fields;
  }

  /**
   * Reads a line.
   *
   * @param fields receives the other members that have a simple value
   */
  static LogLine read(String text, Map<String, String> fields) {
    return new JsonLineParser(text, fields).read();
  }

  private LogLine read() {
    json.expect('{');
    if (!json.skip('}')) {
      do {
        member();
      } while (json.skip(','));
      json.expect('}');
    }
    json.end();
    if (atMicros < 0) {
      throw new MalformedLineException("at is missing");
    }
    return new LogLine(atMicros, attributes, permits);
  }

  private void member() {
    String name = json.string();
    json.expect(':');
    switch (name) {
      case "at" -> at();
      case "attributes" -> attributes();
      case "permits" -> permits();
      default -> field(name);
    }
  }

  private void at() {
    once("at", atMicros >= 0);
    atMicros =
        json.peek() == '"'
            ? LogTimestamps.ofIso(json.string())
            : LogTimestamps.ofMillis(json.number());
  }

  private void permits() {
    once("permits", hasPermits);
    hasPermits = true;
    String number = json.number();
    try {
      permits = Long.parseLong(number);
    } catch (NumberFormatException notWhole) {
      permits = -1;
    }
    if (permits < 0) {
      throw new MalformedLineException("permits must be a whole number, 0 or more, was " + number);
    }
  }

  private void attributes() {
    once("attributes", hasAttributes);
    hasAttributes = true;
    json.expect('{');
    if (json.skip('}')) {
      return;
    }
    do {
      String name = json.string();
      json.expect(':');
      attribute(name);
    } while (json.skip(','));
    json.expect('}');
  }

  /** Numbers and truth values are taken as they are written; null is the same as nothing. */
  private void attribute(String name) {
    char first = json.peek();
    if (first == '{' || first == '[') {
      throw new MalformedLineException("attribute " + name + " must be a text or a number");
    }
    once("attribute " + name, put(attributes, name, first));
  }

  private void field(String name) {
    char first = json.peek();
    if (first == '{' || first == '[') {
      json.skipValue();
    } else {
      put(fields, name, first);
    }
  }

  /** Whether there was such a value already. */
  private boolean put(Map<String, String> values, String name, char first) {
    String value =
        switch (first) {
          case '"' -> json.string();
          case 't', 'f', 'n' -> json.word();
          default -> json.number();
        };
    return first != 'n' && values.put(name, value) != null;
  }

  private static void once(String what, boolean again) {
    if (again) {
      throw new MalformedLineException(what + " must be given once");
    }
  }
}
