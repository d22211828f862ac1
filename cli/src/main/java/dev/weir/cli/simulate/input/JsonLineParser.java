package dev.weir.cli.simulate.input;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as JSON: {@code {"at": 1500.25, "attributes": {"user": "a"}, "permits": 1}}.
 *
 * <p>Members that are none of these three are kept apart as fields, nested ones by dotted names:
 * {@code request.method}. A line without {@code at} is one of a web server's log, whose fields
 * {@link JsonLogFields} knows; from others, {@code --map} makes attributes.
 */
final class JsonLineParser {
  private static final int DEEPEST = 64;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .build();

  private final JsonParser json;
  private final Map<String, String> attributes = new HashMap<>();
  private final Map<String, String> fields;
  private final JsonLogFields known;
  private boolean hasAttributes;
  private boolean hasPermits;
  private long atMicros = -1;
  private long permits = 1;

  private JsonLineParser(JsonParser json, Map<String, String> fields, JsonLogFields known) {
    this.json = json;
    this.fields = fields;
    this.known = known;
  }

  /**
   * Reads a line.
   *
   * @param fields receives all other values
   */
  static LogLine read(String text, Map<String, String> fields, JsonLogFields known) {
    try (JsonParser json = JSON.createParser(text)) {
      return new JsonLineParser(json, fields, known).read();
    } catch (JsonProcessingException malformed) {
      boolean deep = String.valueOf(malformed.getMessage()).contains("nesting depth");
      String reason = deep ? "less nesting is expected" : "it is not well-formed";
      throw malformed(reason, malformed.getLocation());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private LogLine read() throws IOException {
    expect(json.nextToken() == JsonToken.START_OBJECT, "an object is expected");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      member(name, json.nextToken());
    }
    expect(json.nextToken() == null, "nothing is expected");
    boolean ofServer = atMicros < 0 && !hasAttributes;
    if (atMicros < 0) {
      atMicros = known.atMicros(fields);
    }
    if (ofServer) {
      known.addAttributes(attributes, fields);
    }
    return new LogLine(atMicros, attributes, permits, ofServer);
  }

  private void member(String name, JsonToken value) throws IOException {
    switch (name) {
      case "at" -> at(value);
      case "attributes" -> attributes(value);
      case "permits" -> permits(value);
      default -> field(name, value);
    }
  }

  private void at(JsonToken value) throws IOException {
    once("at", atMicros >= 0);
    expect(value == JsonToken.VALUE_STRING || value.isNumeric(), "a number or a text is expected");
    atMicros =
        value.isNumeric()
            ? LogTimestamps.ofMillis(json.getText())
            : LogTimestamps.ofIso(json.getText());
  }

  private void permits(JsonToken value) throws IOException {
    once("permits", hasPermits);
    hasPermits = true;
    expect(value.isNumeric(), "a number is expected");
    boolean fits =
        value == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    permits = fits ? json.getLongValue() : -1;
    if (permits < 0) {
      throw new MalformedLineException(
          "permits must be a whole number, 0 or more, was " + json.getText());
    }
  }

  private void attributes(JsonToken value) throws IOException {
    once("attributes", hasAttributes);
    hasAttributes = true;
    expect(value == JsonToken.START_OBJECT, "an object is expected");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      if (!json.nextToken().isScalarValue()) {
        throw new MalformedLineException("attribute " + name + " must be a text or a number");
      }
      once("attribute " + name, put(attributes, name));
    }
  }

  private void field(String name, JsonToken value) throws IOException {
    if (value == JsonToken.START_OBJECT) {
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String member = name + "." + json.currentName();
        field(member, json.nextToken());
      }
    } else if (value == JsonToken.START_ARRAY) {
      firstOf(name);
    } else {
      put(fields, name);
    }
  }

  /** Of a list, as header fields are, the first value counts. */
  private void firstOf(String name) throws IOException {
    JsonToken value = json.nextToken();
    if (value != null && value.isScalarValue()) {
      put(fields, name);
    }
    while (value != JsonToken.END_ARRAY) {
      json.skipChildren();
      value = json.nextToken();
    }
  }

  /**
   * Takes numbers and truth values as they are written; null is the same as nothing.
   *
   * @return whether there was such a value already
   */
  private boolean put(Map<String, String> values, String name) throws IOException {
    return json.currentToken() != JsonToken.VALUE_NULL && values.put(name, json.getText()) != null;
  }

  private static void once(String what, boolean again) {
    if (again) {
      throw new MalformedLineException(what + " must be given once");
    }
  }

  private void expect(boolean fact, String expectation) {
    if (!fact) {
      throw malformed(expectation, json.currentTokenLocation());
    }
  }

  private static MalformedLineException malformed(
      String expectation, @Nullable JsonLocation location) {
    String where = location == null ? "" : " at column " + location.getColumnNr();
    return new MalformedLineException("no JSON: " + expectation + where);
  }
}
