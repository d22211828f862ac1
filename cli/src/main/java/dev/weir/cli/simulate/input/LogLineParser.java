package dev.weir.cli.simulate.input;

import java.util.HashMap;
import java.util.Map;

/** Turns the lines of a log into requests. Not safe for many threads. */
public final class LogLineParser {
  private final LogInputFormat format;
  private final AttributeMapping mapped;
  private final AccessLogParser accessLog = new AccessLogParser();

  public LogLineParser(LogInputFormat format, AttributeMapping mapped) {
    this.format = format;
    this.mapped = mapped;
  }

  /**
   * Reads one line that is not blank.
   *
   * @throws MalformedLineException if it is no request
   */
  public LoggedRequest read(String text) {
    Map<String, String> fields = new HashMap<>(4);
    LoggedRequest line =
        isJson(text) ? JsonLineParser.read(text, fields) : accessLog.read(text, fields);
    mapped.apply(line.attributes(), fields);
    return line;
  }

  private boolean isJson(String text) {
    return switch (format) {
      case JSONL -> true;
      case COMBINED -> false;
      case AUTO -> text.stripLeading().startsWith("{");
    };
  }
}
