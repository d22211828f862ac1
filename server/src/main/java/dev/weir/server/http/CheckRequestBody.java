package dev.weir.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.weir.RequestId;
import dev.weir.http.AmbiguousPathException;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import dev.weir.internal.text.PrintableText;
import dev.weir.rules.Attributes;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The JSON body of a decision call: the attributes of a request, and its permits.
 *
 * <pre>{@code {"attributes": {"user": "a", "path": "/x"}, "permits": 1}}</pre>
 *
 * <p>Read as it comes, without a tree: this runs for every request. Values may be text, numbers or
 * true and false; null counts as absent.
 */
public final class CheckRequestBody {
  /** The members that every decision call accepts. */
  public static final List<String> QUESTION = List.of("attributes", "permits");

  /** For checks, which may be sent again with the same id. */
  public static final List<String> WITH_ID = List.of("attributes", "permits", "id");

  /** For calls that may name a limit. */
  public static final List<String> WITH_LIMIT = List.of("attributes", "permits", "limit");

  /** For calls that block a key for a time. */
  public static final List<String> WITH_LIMIT_AND_SECONDS =
      List.of("attributes", "permits", "limit", "seconds");

  /** For calls that name an earlier decision. */
  public static final List<String> WITH_RECEIPT = List.of("attributes", "permits", "receipt");

  /** For calls that say how the application responded. */
  public static final List<String> WITH_RECEIPT_AND_STATUS =
      List.of("attributes", "permits", "receipt", "status");

  private static final int MAX_ATTRIBUTES = 100;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(8).build())
          .build();

  private int seenMembers;
  private @Nullable Map<String, String> given;
  private Attributes attributes = name -> null;
  private long permits = 1;
  private @Nullable String receipt;
  private @Nullable RequestId id;
  private @Nullable String limit;
  private @Nullable Long seconds;
  private @Nullable Long status;

  private CheckRequestBody() {}

  /**
   * @param members the names that the call takes
   * @param addresses how many bits of an IPv6 address are one client
   * @throws BadRequestException if the body is malformed
   */
  static CheckRequestBody parse(Buffer body, List<String> members, ClientAddress addresses) {
    CheckRequestBody parsed = new CheckRequestBody();
    try (JsonParser json = JSON.createParser(body.getBytes())) {
      expect(json.nextToken() == JsonToken.START_OBJECT, "body must be a JSON object");
      while (json.nextToken() != JsonToken.END_OBJECT) {
        parsed.member(json, members);
      }
      expect(json.nextToken() == null, "body must be one JSON object and nothing after it");
    } catch (JsonProcessingException malformed) {
      throw new BadRequestException(
          "body must be JSON: " + reason(malformed) + place(malformed.getLocation()));
    } catch (IOException notUtf8) { // reading from memory fails only if the encoding is wrong
      throw new BadRequestException("body must be JSON: it is not text in UTF-8");
    }
    expect(parsed.given != null, "attributes must be given: an object of names and values");
    parsed.attributes = normalised(parsed.given, addresses);
    return parsed;
  }

  private static Attributes normalised(Map<String, String> given, ClientAddress addresses) {
    try {
      RequestAttributes read = RequestAttributes.read(given, addresses);
      return read.otherPaths().isEmpty()
          ? read.values()::get // not copied: nobody else has the map
          : Attributes.of(read.values(), read.otherPaths());
    } catch (AmbiguousPathException ambiguous) {
      throw new BadRequestException("attributes." + ambiguous.getMessage());
    }
  }

  private void member(JsonParser json, List<String> members) throws IOException {
    String name = known(json.currentName(), members);
    int bit = 1 << members.indexOf(name);
    expectOnce(json, (seenMembers & bit) == 0);
    seenMembers |= bit;
    JsonToken token = json.nextToken();
    switch (name) {
      case "attributes" -> given = attributes(json, token);
      case "permits" -> permits = permits(json, token);
      case "receipt" -> receipt = text(json, token, name);
      case "id" -> id = id(text(json, token, name));
      case "limit" -> limit = text(json, token, name);
      case "seconds" -> seconds = number(json, token, name);
      case "status" -> status = number(json, token, name);
      default -> throw new IllegalStateException("no reader for member " + name);
    }
  }

  private static String known(String name, List<String> members) {
    if (!members.contains(name)) {
      throw new BadRequestException(
          PrintableText.quoted(name)
              + " is not known here: expected "
              + String.join(", ", members));
    }
    return name;
  }

  private static Map<String, String> attributes(JsonParser json, JsonToken token)
      throws IOException {
    expect(token == JsonToken.START_OBJECT, "attributes must be an object of names and values");
    Map<String, String> values = new HashMap<>();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      expectOnce(json, !values.containsKey(name));
      JsonToken value = json.nextToken();
      if (!value.isScalarValue()) {
        throw new BadRequestException(
            "attributes." + PrintableText.quoted(name) + " must be text, a number, true or false");
      }
      values.put(name, value == JsonToken.VALUE_NULL ? null : json.getText());
      expect(values.size() <= MAX_ATTRIBUTES, "attributes must be at most " + MAX_ATTRIBUTES);
    }
    values.values().removeIf(Objects::isNull);
    return values;
  }

  private static long permits(JsonParser json, JsonToken token) throws IOException {
    long permits = number(json, token, "permits");
    if (permits < 0) {
      throw new BadRequestException("permits must be 0 or more, was " + permits);
    }
    return permits;
  }

  private static long number(JsonParser json, JsonToken token, String name) throws IOException {
    if (token == JsonToken.VALUE_NUMBER_INT
        && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return json.getLongValue();
    }
    throw new BadRequestException(
        name + " must be a whole number below 2^63, was " + PrintableText.quoted(json.getText()));
  }

  private static String text(JsonParser json, JsonToken token, String name) throws IOException {
    expect(token == JsonToken.VALUE_STRING, name + " must be text");
    return json.getText();
  }

  /**
   * @throws BadRequestException if it cannot be the id of a request
   */
  public static RequestId id(String text) {
    try {
      return RequestId.of(text);
    } catch (IllegalArgumentException refused) {
      throw new BadRequestException(refused.getMessage());
    }
  }

  private static void expectOnce(JsonParser json, boolean first) {
    if (!first) {
      throw new BadRequestException(
          "body must be JSON: a name is given twice" + place(json.currentTokenLocation()));
    }
  }

  private static void expect(boolean fact, String otherwise) {
    if (!fact) {
      throw new BadRequestException(otherwise);
    }
  }

  private static String reason(JsonProcessingException malformed) {
    if (malformed instanceof JsonEOFException) {
      return "it ends before the object does";
    }
    if (malformed instanceof StreamConstraintsException) {
      return "it is nested too deeply, or a name or number is too long";
    }
    return "it is malformed";
  }

  private static String place(@Nullable JsonLocation at) {
    return at == null ? "" : ", at line " + at.getLineNr() + ", column " + at.getColumnNr();
  }

  public Attributes attributes() {
    return attributes;
  }

  public long permits() {
    return permits;
  }

  /** What an answer is repeated by. */
  public Optional<RequestId> id() {
    return Optional.ofNullable(id);
  }

  /**
   * @throws BadRequestException if there is none
   */
  public String requiredReceipt() {
    expect(receipt != null, "receipt must be given: the one that /v1/check answered with");
    return Objects.requireNonNull(receipt);
  }

  public Optional<String> receipt() {
    return Optional.ofNullable(receipt);
  }

  /** The name of the only limit that is meant. */
  public Optional<String> limit() {
    return Optional.ofNullable(limit);
  }

  public Optional<Long> seconds() {
    return Optional.ofNullable(seconds);
  }

  /**
   * The status of HTTP that the application responded with.
   *
   * @throws BadRequestException if there is none
   */
  public int status() {
    if (status == null || status < 100 || status > 599) {
      throw new BadRequestException(
          "status must be from 100 to 599, was " + (status == null ? "missing" : status));
    }
    return status.intValue();
  }
}
