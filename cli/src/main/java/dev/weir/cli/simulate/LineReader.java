package dev.weir.cli.simulate;

import java.util.HashMap;
import java.util.Map;

/** Turns the lines of a log into requests. Not safe for many threads. */
final class LineReader {
  private final LineFormat format;
  private final FieldMap mapped;
  private final AccessLine accessLog = new AccessLine();

  LineReader(LineFormat format, FieldMap mapped) {
    this.format = format;
    this.mapped = mapped;
  }

  /**
   * Reads one line that is not blank.
   *
   * @throws MalformedLineException if it is no request
   */
  LogLine read(String text) {
    Map<String, String> fields = new HashMap<>(4);
    LogLine line = isJson(text) ? JsonLine.read(text, fields) : accessLog.read(text, fields);
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
