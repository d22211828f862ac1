package dev.weir.cli.simulate.input;

import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the address of the client at the beginning of an access log's line.
 *
 * <p>A line begins with an address; with a virtual host and then an address; or with a list of
 * addresses, if the server logs {@code X-Forwarded-For}. A list is read from its end, skipping
 * trusted proxies, exactly as the service reads the field.
 */
final class LoggedClient {
  private final ClientAddress addresses;

  LoggedClient(ClientAddress addresses) {
    this.addresses = addresses;
  }

  /**
   * Adds {@code ip}, unless there is no address, and {@code host}, if there is a virtual host.
   *
   * @param end where the fields before the time end
   * @return where the field after the client starts
   */
  int read(String text, int end, Map<String, String> attributes, Map<String, String> fields) {
    int listEnd = endOfList(text, 0, end);
    String first = text.substring(0, listEnd);
    int second = Math.min(listEnd + 1, end);
    int secondEnd = endOfList(text, second, end);
    String next = text.substring(second, secondEnd);
    if (!next.equals("-")
        && resolved(next).isPresent()) { // an identity is never an address, so a host is in front
      attributes.put("host", withoutPort(first));
      put(next, attributes, fields);
      return Math.min(secondEnd + 1, end);
    }
    put(first, attributes, fields);
    return second;
  }

  /** Adds {@code ip}, unless this is no address, and the text as a field. */
  void put(String client, Map<String, String> attributes, Map<String, String> fields) {
    fields.put(AccessLogParser.CLIENT, client);
    resolved(client).ifPresent(ip -> attributes.put(RequestAttributes.IP, ip));
  }

  /** The end of a field, or of several that have a comma between them. */
  private static int endOfList(String text, int start, int end) {
    int space = text.indexOf(' ', start);
    while (space > start && space < end && text.charAt(space - 1) == ',') {
      space = text.indexOf(' ', space + 1);
    }
    return space < 0 ? end : Math.min(space, end);
  }

  /** The client of an address, or of a list of addresses; empty if there is none. */
  Optional<String> resolved(String client) {
    int comma = client.lastIndexOf(',');
    if (comma < 0) {
      return addresses.canonical(client);
    }
    String last = client.substring(comma + 1).strip();
    List<String> before = List.of(client.substring(0, comma));
    return addresses.canonical(last).map(address -> addresses.resolve(last, name -> before));
  }

  private static String withoutPort(String host) {
    return host.replaceFirst(":\\d+$", "");
  }
}
