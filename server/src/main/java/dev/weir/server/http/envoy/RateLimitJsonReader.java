package dev.weir.server.http.envoy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.DescriptorEntry;
import dev.weir.rules.RateUnit;
import dev.weir.server.envoy.RateLimitCall;
import dev.weir.server.http.BadRequestException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a call as protobuf's JSON has it: names as {@code hitsAddend} or {@code hits_addend},
 * numbers also as text, units by name or number, null as absent.
 */
final class RateLimitJsonReader {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(8).build())
          .build();

  private final JsonParser json;

  private RateLimitJsonReader(JsonParser json) {
    this.json = json;
  }

  /**
   * @throws BadRequestException if the body is malformed
   */
  public static RateLimitCall read(byte[] body) {
    try (JsonParser json = JSON.createParser(body)) {
      expect(json.nextToken() == JsonToken.START_OBJECT, "body must be a JSON object");
      RateLimitCall call = new RateLimitJsonReader(json).call();
      expect(json.nextToken() == null, "body must be one JSON object and nothing after it");
      return call;
    } catch (IOException malformed) {
      throw new BadRequestException("body must be JSON: it is malformed");
    }
  }

  private RateLimitCall call() throws IOException {
    String domain = "";
    long hits = 0;
    List<RateLimitCall.Descriptor> descriptors = new ArrayList<>();
    for (String name = member(); name != null; name = member()) {
      switch (name) {
        case "domain" -> domain = text(name);
        case "hitsAddend" -> hits = number(name, (1L << 32) - 1);
        case "descriptors" -> {
          while (nextItem(name)) {
            descriptors.add(descriptor());
          }
        }
        default -> throw unknown(name);
      }
    }
    return new RateLimitCall(domain, hits, descriptors);
  }

  private RateLimitCall.Descriptor descriptor() throws IOException {
    List<DescriptorEntry> entries = new ArrayList<>();
    Long hits = null;
    boolean negative = false;
    RateLimitCall.Override limit = null;
    for (String name = member(); name != null; name = member()) {
      switch (name) {
        case "entries" -> {
          while (nextItem(name)) {
            entries.add(entry());
          }
        }
        case "hitsAddend" -> hits = number(name, RateLimitCall.MAX_HITS);
        case "isNegativeHits" -> negative = flag(name);
        case "limit" -> limit = limit();
        default -> throw unknown(name);
      }
    }
    return new RateLimitCall.Descriptor(entries, hits, negative, limit);
  }

  private DescriptorEntry entry() throws IOException {
    String key = "";
    String value = "";
    for (String name = member(); name != null; name = member()) {
      switch (name) {
        case "key" -> key = text(name);
        case "value" -> value = text(name);
        default -> throw unknown(name);
      }
    }
    return new DescriptorEntry(key, value);
  }

  private RateLimitCall.Override limit() throws IOException {
    expect(json.currentToken() == JsonToken.START_OBJECT, "limit must be an object");
    long requests = 0;
    RateUnit unit = null;
    for (String name = member(); name != null; name = member()) {
      switch (name) {
        case "requestsPerUnit" -> requests = number(name, (1L << 32) - 1);
        case "unit" -> unit = unit();
        default -> throw unknown(name);
      }
    }
    expect(unit != null, "the limit of a request must have a unit");
    return new RateLimitCall.Override(requests, unit);
  }

  private RateUnit unit() throws IOException {
    String text = json.getText();
    Optional<RateUnit> unit =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT && text.length() < 4
            ? RateUnit.of(Integer.parseInt(text))
            : named(text);
    return unit.orElseThrow(
        () -> new BadRequestException("unit must be SECOND, MINUTE, HOUR, DAY, MONTH or YEAR"));
  }

  private static Optional<RateUnit> named(String text) {
    for (RateUnit unit : RateUnit.values()) {
      if (unit != RateUnit.UNKNOWN && unit.name().equals(text.toUpperCase(Locale.ROOT))) {
        return Optional.of(unit);
      }
    }
    return Optional.empty();
  }

  /** Goes to the value of the next member that is not null; null at the end of the object. */
  private @Nullable String member() throws IOException {
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = camelCase(json.currentName());
      if (json.nextToken() != JsonToken.VALUE_NULL) {
        return name;
      }
    }
    return null;
  }

  private static String camelCase(String name) {
    if (name.indexOf('_') < 0) {
      return name;
    }
    StringBuilder out = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      boolean raised = i > 0 && name.charAt(i - 1) == '_';
      if (name.charAt(i) != '_') {
        out.append(raised ? Character.toUpperCase(name.charAt(i)) : name.charAt(i));
      }
    }
    return out.toString();
  }

  /** Goes to the next object of a list; false at its end. */
  private boolean nextItem(String name) throws IOException {
    JsonToken at = json.currentToken();
    expect(at == JsonToken.START_ARRAY || at == JsonToken.END_OBJECT, name + " must be a list");
    JsonToken next = json.nextToken();
    if (next == JsonToken.END_ARRAY) {
      return false;
    }
    expect(next == JsonToken.START_OBJECT, name + " must be a list of objects");
    return true;
  }

  private String text(String name) throws IOException {
    expect(json.currentToken() == JsonToken.VALUE_STRING, name + " must be text");
    return json.getText();
  }

  private boolean flag(String name) throws IOException {
    expect(json.currentToken().isBoolean(), name + " must be true or false");
    return json.getBooleanValue();
  }

  private long number(String name, long most) throws IOException {
    boolean possible =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            || json.currentToken() == JsonToken.VALUE_STRING;
    String text = possible ? json.getText() : "";
    expect(text.matches("\\d{1,20}"), name + " must be a whole number, 0 or more");
    return text.length() > 18 ? most : Math.min(most, Long.parseLong(text));
  }

  private static BadRequestException unknown(String name) {
    return new BadRequestException(PrintableText.quoted(name) + " is not known here");
  }

  private static void expect(boolean fact, String otherwise) {
    if (!fact) {
      throw new BadRequestException(otherwise);
    }
  }
}
