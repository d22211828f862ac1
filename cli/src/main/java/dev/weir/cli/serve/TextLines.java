package dev.weir.cli.serve;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Log lines for people: {@code 2026-11-16T01:02:03.004Z WARNING the kill switch is on}. */
final class TextLines extends Formatter {
  @Override
  public String format(LogRecord line) {
    return line.getInstant().truncatedTo(ChronoUnit.MILLIS)
        + " "
        + line.getLevel().getName()
        + " "
        + formatMessage(line)
        + "\n"
        + stack(line.getThrown());
  }

  static String stack(Throwable thrown) {
    if (thrown == null) {
      return "";
    }
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
