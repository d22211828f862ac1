package dev.weir.cli.simulate.input;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request of an AWS Application Load Balancer's access log.
 *
 * <pre>{@code
 * https 2026-10-10T13:55:36.186641Z app/shop/50dc 192.0.2.1:2817 10.0.0.1:80 0.1 0.2 0.0 200 200 34
 *     366 "GET https://shop.example:443/cart?x=1 HTTP/1.1" "curl/8.5" - - arn:… …
 * }</pre>
 *
 * <p>Attributes: {@code ip}, {@code host}, {@code method}, {@code path}, {@code status}.
 */
final class AlbLogParser {
  private static final Set<String> TYPES = Set.of("http", "https", "h2", "grpcs", "ws", "wss");
  private static final int TIME = 1;
  private static final int CLIENT = 3;
  private static final int STATUS = 8;
  private static final int REQUEST = 12;
  private static final int AGENT = 13;
  private static final int CREATED = 21;

  private final LoggedClient clients;

  AlbLogParser(LoggedClient clients) {
    this.clients = clients;
  }

  /** Whether a line looks like one of this log. */
  static boolean reads(String text) {
    int space = text.indexOf(' ');
    return space > 0
        && TYPES.contains(text.substring(0, space))
        && text.length() > space + 11
        && text.charAt(space + 5) == '-'
        && text.charAt(space + 11) == 'T';
  }

  LogLine read(String text, Map<String, String> fields) {
    List<String> parts = QuotedFields.split(text);
    if (parts.size() <= REQUEST) {
      throw new MalformedLineException("fields of a load balancer's log are missing");
    }
    Map<String, String> attributes = new HashMap<>();
    clients.put(parts.get(CLIENT), attributes, fields);
    attributes.put("status", parts.get(STATUS));
    RequestLine.read(parts.get(REQUEST), attributes, fields);
    String host = RequestLine.host(attributes.get("path"));
    if (host != null) {
      attributes.put("host", host);
    }
    if (parts.size() > AGENT) {
      fields.put("agent", parts.get(AGENT));
    }
    // The first time is that of the answer; newer logs also have that of the request.
    boolean created = parts.size() > CREATED && parts.get(CREATED).endsWith("Z");
    return new LogLine(LogTimestamps.ofIso(parts.get(created ? CREATED : TIME)), attributes);
  }
}
