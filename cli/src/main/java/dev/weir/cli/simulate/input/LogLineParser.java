package dev.weir.cli.simulate.input;

import dev.weir.http.AmbiguousPathException;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import java.util.HashMap;
import java.util.Map;

/**
 * Turns the lines of a log into requests, with attributes in the form in which the service has
 * them. Not safe for many threads.
 */
public final class LogLineParser {
  private final LogInputFormat format;
  private final AttributeMapping mapped;
  private final ClientAddress addresses;
  private final AccessLogParser accessLog;

  public LogLineParser(LogInputFormat format, AttributeMapping mapped, ClientAddress addresses) {
    this.format = format;
    this.mapped = mapped;
    this.addresses = addresses;
    this.accessLog = new AccessLogParser(addresses);
  }

  /**
   * Reads one line that is not blank.
   *
   * @throws MalformedLineException if it is no request, or one that the service would refuse
   */
  public LoggedRequest read(String text) {
    Map<String, String> fields = new HashMap<>(8);
    LogLine line = isJson(text) ? JsonLineParser.read(text, fields) : accessLog.read(text, fields);
    try {
      mapped.apply(line.attributes(), fields);
      return request(line, fields);
    } catch (AmbiguousPathException refused) {
      throw new MalformedLineException("the service answers 400: " + refused.getMessage());
    }
  }

  private LoggedRequest request(LogLine line, Map<String, String> fields) {
    RequestAttributes read = RequestAttributes.read(line.attributes(), addresses);
    String unknownClient =
        read.values().containsKey(RequestAttributes.IP) ? null : fields.get(AccessLogParser.CLIENT);
    return new LoggedRequest(
        line.atMicros(), read.values(), read.otherPaths(), line.permits(), unknownClient);
  }

  private boolean isJson(String text) {
    return switch (format) {
      case JSONL -> true;
      case COMBINED -> false;
      case AUTO -> text.stripLeading().startsWith("{");
    };
  }
}
