package dev.weir.cli.simulate.input;

import dev.weir.http.AmbiguousPathException;
import dev.weir.http.ClientAddress;
import dev.weir.http.RequestAttributes;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Turns the lines of a log into requests, with attributes in the form in which the service has
 * them. Not safe for many threads.
 */
final class LogLineParser {
  private final LogInputFormat format;
  private final AttributeMapping mapped;
  private final ClientAddress addresses;
  private final LoggedClient clients;
  private final JsonLogFields jsonFields;
  private final AccessLogParser accessLog;
  private final AlbLogParser albLog;
  private final EnvoyLogParser envoyLog;
  private final W3cLogParser w3cLog;

  public LogLineParser(LogInputFormat format, AttributeMapping mapped, ClientAddress addresses) {
    this(format, mapped, addresses, null);
  }

  /**
   * @param timeField the field of a line of JSON that has the time; null to look for a known one
   */
  public LogLineParser(
      LogInputFormat format,
      AttributeMapping mapped,
      ClientAddress addresses,
      @Nullable String timeField) {
    this.format = format;
    this.mapped = mapped;
    this.addresses = addresses;
    this.clients = new LoggedClient(addresses);
    this.jsonFields = new JsonLogFields(clients, timeField);
    this.accessLog = new AccessLogParser(clients);
    this.albLog = new AlbLogParser(clients);
    this.envoyLog = new EnvoyLogParser(clients);
    this.w3cLog = new W3cLogParser(clients);
  }

  /** Whether a line is empty, or a remark of the log about itself: it is not to be read. */
  public boolean skips(String text) {
    if (text.startsWith("#")) {
      w3cLog.directive(text);
      return true;
    }
    return text.isBlank();
  }

  /**
   * Reads one line that is not skipped.
   *
   * @throws MalformedLineException if it is no request, or one that the service would refuse
   */
  public LoggedRequest read(String text) {
    Map<String, String> fields = new HashMap<>(8);
    LogLine line = read(text, fields);
    try {
      mapped.apply(line.attributes(), fields);
      return request(line, fields);
    } catch (AmbiguousPathException refused) {
      throw new MalformedLineException("the service answers 400: " + refused.getMessage());
    }
  }

  private LogLine read(String text, Map<String, String> fields) {
    return switch (formatOf(text)) {
      case JSONL -> JsonLineParser.read(text, fields, jsonFields);
      case ALB -> albLog.read(text, fields);
      case ENVOY -> envoyLog.read(text, fields);
      case CLOUDFRONT -> w3cLog.read(text, fields);
      case COMBINED, AUTO -> accessLog.read(text, fields);
    };
  }

  private LogInputFormat formatOf(String text) {
    if (format != LogInputFormat.AUTO) {
      return format;
    }
    if (text.stripLeading().startsWith("{")) {
      return LogInputFormat.JSONL;
    }
    if (EnvoyLogParser.reads(text)) {
      return LogInputFormat.ENVOY;
    }
    if (AlbLogParser.reads(text)) {
      return LogInputFormat.ALB;
    }
    return w3cLog.reads(text) ? LogInputFormat.CLOUDFRONT : LogInputFormat.COMBINED;
  }

  private LoggedRequest request(LogLine line, Map<String, String> fields) {
    String ip = line.attributes().get(RequestAttributes.IP);
    if (ip != null && ip.indexOf(',') >= 0) { // mapped from a list such as X-Forwarded-For
      clients
          .resolved(ip)
          .ifPresent(address -> line.attributes().put(RequestAttributes.IP, address));
    }
    RequestAttributes read = RequestAttributes.read(line.attributes(), addresses);
    String unknownClient =
        line.ofServer() && !read.values().containsKey(RequestAttributes.IP)
            ? fields.get(AccessLogParser.CLIENT)
            : null;
    return new LoggedRequest(
        line.atMicros(), read.values(), read.otherPaths(), line.permits(), unknownClient);
  }
}
