package dev.weir.cli.simulate.input;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of a web server's JSON log hold what: as Caddy writes them, and as nginx's variables
 * are named, whatever of them a {@code log_format} has.
 */
final class JsonLogFields {
  private static final List<String> TIME =
      List.of(
          "ts",
          "msec",
          "time_iso8601",
          "@timestamp",
          "timestamp",
          "time",
          "start_time",
          "time_local");
  private static final List<String> CLIENT =
      List.of(
          "request.client_ip",
          "request.remote_ip",
          "request.remote_addr",
          "remote_addr",
          "client_ip",
          "remote_ip");
  private static final Map<String, List<String>> ATTRIBUTES =
      Map.of(
          "method", List.of("request.method", "request_method", "method"),
          "host", List.of("request.host", "http_host", "host", "authority"),
          "user", List.of("user_id", "remote_user", "user"),
          "status", List.of("status", "response_code"));
  private static final List<String> TARGET = List.of("request.uri", "request_uri", "uri", "path");
  private static final String REQUEST_LINE = "request";

  private final LoggedClient clients;
  private final @Nullable String timeField;

  /**
   * @param timeField the field with the time; null to look for a known one
   */
  JsonLogFields(LoggedClient clients, @Nullable String timeField) {
    this.clients = clients;
    this.timeField = timeField;
  }

  /** The time of a line without {@code at}. */
  long atMicros(Map<String, String> fields) {
    String name = timeField == null ? first(TIME, fields) : timeField;
    String text = name == null ? null : fields.get(name);
    if (text == null) {
      throw new MalformedLineException(
          timeField == null
              ? "at is missing, and no other known field has the time (--time-field names one)"
              : timeField + " is missing, which was to have the time");
    }
    return LogTimestamps.ofAnyForm(String.valueOf(name), text);
  }

  /** Adds what known fields say of the request. */
  void addAttributes(Map<String, String> attributes, Map<String, String> fields) {
    String line = value(REQUEST_LINE, fields);
    if (line != null) {
      RequestLine.read(LogEscapes.decode(line), attributes, fields);
    }
    String target = first(TARGET, fields);
    if (target != null) {
      RequestLine.target(fields.get(target), attributes, fields);
    }
    ATTRIBUTES.forEach(
        (attribute, names) -> {
          String name = first(names, fields);
          if (name != null) {
            attributes.put(attribute, fields.get(name));
          }
        });
    String client = first(CLIENT, fields);
    if (client != null) {
      clients.put(fields.get(client), attributes, fields);
    }
  }

  private static @Nullable String first(List<String> names, Map<String, String> fields) {
    for (String name : names) {
      if (value(name, fields) != null) {
        return name;
      }
    }
    return null;
  }

  private static @Nullable String value(String name, Map<String, String> fields) {
    String value = fields.get(name);
    return value == null || value.isEmpty() || value.equals("-") ? null : value;
  }
}
