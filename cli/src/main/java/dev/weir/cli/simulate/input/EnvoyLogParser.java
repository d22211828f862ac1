package dev.weir.cli.simulate.input;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request of an access log in Envoy's default format.
 *
 * <pre>{@code
 * [2026-10-10T13:55:36.310Z] "POST /login HTTP/2" 204 - 154 0 226 100 "192.0.2.1" "curl/8.5"
 *     "cc21d9b0-…" "shop.example" "10.0.2.1:80"
 * }</pre>
 *
 * <p>Attributes: {@code ip} if the proxy was given {@code X-Forwarded-For}, {@code host}, {@code
 * method}, {@code path}, {@code status}.
 */
final class EnvoyLogParser {
  private static final int REQUEST = 0;
  private static final int STATUS = 1;
  private static final int FORWARDED = 7;
  private static final int AGENT = 8;
  private static final int HOST = 10;

  private final LoggedClient clients;

  EnvoyLogParser(LoggedClient clients) {
    this.clients = clients;
  }

  /** Whether a line looks like one of this log; an IPv6 address may stand in brackets, too. */
  static boolean reads(String text) {
    return text.length() > 11
        && text.charAt(0) == '['
        && text.charAt(5) == '-'
        && text.charAt(11) == 'T';
  }

  LogLine read(String text, Map<String, String> fields) {
    int bracket = text.indexOf("] ");
    if (bracket < 0) {
      throw new MalformedLineException("the time must stand in brackets");
    }
    long atMicros = LogTimestamps.ofIso(text.substring(1, bracket));
    List<String> parts = QuotedFields.split(text.substring(bracket + 2));
    if (parts.size() <= FORWARDED) {
      throw new MalformedLineException("fields of Envoy's default format are missing");
    }
    Map<String, String> attributes = new HashMap<>();
    RequestLine.read(parts.get(REQUEST), attributes, fields);
    attributes.put("status", parts.get(STATUS));
    if (!parts.get(FORWARDED).equals("-")) {
      clients.put(parts.get(FORWARDED), attributes, fields);
    }
    put(parts, AGENT, "agent", fields);
    put(parts, HOST, "host", attributes);
    return new LogLine(atMicros, attributes);
  }

  private static void put(List<String> parts, int index, String name, Map<String, String> values) {
    if (parts.size() > index && !parts.get(index).equals("-")) {
      values.put(name, parts.get(index));
    }
  }
}
