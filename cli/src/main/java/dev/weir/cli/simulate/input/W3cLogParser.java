package dev.weir.cli.simulate.input;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request of a log in the W3C extended format, as CloudFront writes it: a line {@code #Fields:}
 * names the fields of the lines after it. Without such a line, the fields are those of CloudFront.
 *
 * <p>Attributes: {@code ip}, {@code host}, {@code user}, {@code method}, {@code path}, {@code
 * status}; all fields can be mapped by their names, such as {@code cs(Cookie)}.
 */
final class W3cLogParser {
  private static final String FIELDS = "#Fields:";
  private static final List<String> CLOUDFRONT =
      List.of(
          "date",
          "time",
          "x-edge-location",
          "sc-bytes",
          "c-ip",
          "cs-method",
          "cs(Host)",
          "cs-uri-stem",
          "sc-status",
          "cs(Referer)",
          "cs(User-Agent)",
          "cs-uri-query",
          "cs(Cookie)",
          "x-edge-result-type",
          "x-edge-request-id",
          "x-host-header");

  private final LoggedClient clients;
  private List<String> names = CLOUDFRONT;
  private boolean named;

  W3cLogParser(LoggedClient clients) {
    this.clients = clients;
  }

  /** Whether a line looks like one of this log. */
  boolean reads(String text) {
    return text.length() > 10
        && text.charAt(4) == '-'
        && text.charAt(7) == '-'
        && (text.charAt(10) == '\t' || named && text.charAt(10) == ' ');
  }

  /** A line that begins with {@code #}: it holds no request. */
  void directive(String text) {
    if (text.startsWith(FIELDS)) {
      names = List.of(text.substring(FIELDS.length()).strip().split("[ \t]+"));
      named = true;
    }
  }

  LogLine read(String text, Map<String, String> fields) {
    String[] values = text.split(text.indexOf('\t') >= 0 ? "\t" : " ", -1);
    for (int i = 0; i < Math.min(values.length, names.size()); i++) {
      if (!values[i].equals("-") && !values[i].isEmpty()) {
        fields.put(names.get(i), values[i]);
      }
    }
    if (!fields.containsKey("date") || !fields.containsKey("time")) {
      throw new MalformedLineException("date or time is missing");
    }
    String time = fields.get("date") + "T" + fields.get("time") + "Z";
    long atMicros = LogTimestamps.ofIso(time);
    Map<String, String> attributes = new HashMap<>();
    clients.put(fields.getOrDefault("c-ip", "-"), attributes, fields);
    put("method", fields.get("cs-method"), attributes);
    put("path", fields.get("cs-uri-stem"), attributes);
    put("status", fields.get("sc-status"), attributes);
    put("user", fields.get("cs-username"), attributes);
    put("host", fields.getOrDefault("x-host-header", fields.get("cs(Host)")), attributes);
    put("query", fields.get("cs-uri-query"), fields);
    put("referer", fields.get("cs(Referer)"), fields);
    put("agent", fields.get("cs(User-Agent)"), fields);
    return new LogLine(atMicros, attributes);
  }

  private static void put(String name, @Nullable String value, Map<String, String> values) {
    if (value != null) {
      values.put(name, value);
    }
  }
}
