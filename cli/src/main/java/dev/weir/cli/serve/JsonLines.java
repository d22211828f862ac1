package dev.weir.cli.serve;

import io.vertx.core.json.JsonObject;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Log lines for machines: one JSON object each. */
final class JsonLines extends Formatter {
  @Override
  public String format(LogRecord line) {
    JsonObject object =
        new JsonObject()
            .put("time", line.getInstant().truncatedTo(ChronoUnit.MILLIS).toString())
            .put("level", line.getLevel().getName().toLowerCase(java.util.Locale.ROOT))
            .put("logger", line.getLoggerName())
            .put("message", formatMessage(line));
    if (line.getThrown() != null) {
      object.put("stack", TextLines.stack(line.getThrown()));
    }
    return object.encode() + "\n";
  }
}
