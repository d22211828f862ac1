package dev.weir.internal.guard;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What a class wrote into its log, as "LEVEL message". */
final class LogLines extends Handler implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  private LogLines(Logger logger) {
    this.logger = logger;
    logger.addHandler(this);
  }

  static LogLines of(Class<?> type) {
    return new LogLines(Logger.getLogger(type.getName()));
  }

  List<String> lines() {
    return lines;
  }

  @Override
  public void publish(LogRecord entry) {
    lines.add(entry.getLevel() + " " + new SimpleFormatter().formatMessage(entry));
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
