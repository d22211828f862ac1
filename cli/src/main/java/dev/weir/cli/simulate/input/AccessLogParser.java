package dev.weir.cli.simulate.input;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A request of a web server's access log, in the Common or the Combined format, or with the virtual
 * host in front as Apache's {@code vhost_combined} has it.
 *
 * <pre>{@code
 * 192.0.2.1 - mia [10/Oct/2026:13:55:36 +0000] "GET /cart?x=1 HTTP/1.1" 200 2326 "https://…" "curl"
 * shop.example:443 192.0.2.1 - mia [10/Oct/2026:13:55:36 +0000] "GET /cart HTTP/1.1" 200 2326
 * }</pre>
 *
 * <p>Attributes: {@code ip}, {@code host} if there is a virtual host, {@code user}, {@code method},
 * {@code path}, {@code status}. An invalid request line, as scanners send it, yields neither method
 * nor path.
 */
final class AccessLogParser {
  /** The field that holds the text in the position of the client's address. */
  static final String CLIENT = "client";

  private static final List<String> MONTHS =
      List.of("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec");
  private static final int TIME_LENGTH = "10/Oct/2026:13:55:36 +0000".length();

  private final LoggedClient clients;
  private String lastTime = "";
  private long lastMicros;

  AccessLogParser(LoggedClient clients) {
    this.clients = clients;
  }

  /**
   * Reads a line.
   *
   * @param fields receives {@code client}, {@code query}, {@code referer} and {@code agent}, where
   *     there are any
   */
  LogLine read(String text, Map<String, String> fields) {
    Map<String, String> attributes = new HashMap<>();
    int space = text.indexOf(' ');
    int bracket = text.indexOf(" [", Math.max(space, 0));
    int quote = bracket + TIME_LENGTH + 3;
    if (space <= 0 || bracket < 0 || !text.startsWith("] \"", quote - 1)) {
      throw new MalformedLineException("neither JSON nor an access log");
    }
    int identity = clients.read(text, bracket, attributes, fields);
    user(text, identity, bracket, attributes);
    long atMicros = micros(text.substring(bracket + 2, bracket + 2 + TIME_LENGTH));
    int start = quote + 2;
    int end = QuotedFields.closingQuote(text, start);
    RequestLine.read(LogEscapes.decode(text.substring(start, end)), attributes, fields);
    status(text, end + 1, attributes);
    quoted(text, end + 1, fields);
    return new LogLine(atMicros, attributes);
  }

  /** Reads the user, which follows the (unused) identity and precedes the time. */
  private static void user(String text, int identity, int bracket, Map<String, String> attributes) {
    int space = text.indexOf(' ', identity);
    if (space < 0 || space >= bracket) {
      throw new MalformedLineException("the user is missing");
    }
    String user = text.substring(space + 1, bracket);
    if (!user.equals("-") && !user.isEmpty()) {
      attributes.put("user", user);
    }
  }

  private static void status(String text, int from, Map<String, String> attributes) {
    int start = from + 1;
    int end = start;
    while (end < text.length() && Character.isDigit(text.charAt(end))) {
      end++;
    }
    if (end - start != 3 || text.charAt(from) != ' ') {
      throw new MalformedLineException("the status is missing");
    }
    attributes.put("status", text.substring(start, end));
  }

  private static void quoted(String text, int from, Map<String, String> fields) {
    int position = from;
    for (String name : List.of("referer", "agent")) {
      int start = text.indexOf('"', position) + 1;
      if (start == 0) {
        return;
      }
      int end = QuotedFields.closingQuote(text, start);
      String value = text.substring(start, end);
      if (!value.equals("-")) {
        fields.put(name, value);
      }
      position = end + 1;
    }
  }

  /** Caches the last time, because adjacent lines often share a second. */
  private long micros(String time) {
    if (!time.equals(lastTime)) {
      lastMicros = parse(time);
      lastTime = time;
    }
    return lastMicros;
  }

  /** Of {@code 10/Oct/2026:13:55:36 +0000}. */
  static long parse(String time) {
    try {
      LocalDateTime local =
          LocalDateTime.of(
              number(time, 7, 11),
              MONTHS.indexOf(time.substring(3, 6)) + 1,
              number(time, 0, 2),
              number(time, 12, 14),
              number(time, 15, 17),
              Math.min(number(time, 18, 20), 59)); // a leap second counts as the one before
      long seconds = local.toEpochSecond(ZoneOffset.of(time.substring(21)));
      return LogTimestamps.checked(seconds * 1_000_000, time);
    } catch (DateTimeException | NumberFormatException noTime) {
      throw new MalformedLineException("the time must be dd/Mon/yyyy:hh:mm:ss +hhmm, was " + time);
    }
  }

  private static int number(String time, int from, int to) {
    return Integer.parseInt(time, from, to, 10);
  }
}
