package dev.weir.cli.serve;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Passes at most {@value #MAX_LINES} lines of a logger in ten seconds and counts the others:
 * libraries log a line, or a stack trace, for events that clients can cause at will, such as an
 * aborted TLS handshake. Safe for many threads.
 */
final class LogThrottle implements Filter {
  private static final int MAX_LINES = 20;
  private static final long INTERVAL_MILLIS = 10_000;

  private final LongSupplier nowMillis;
  private final Map<String, LoggerQuota> quotas = new ConcurrentHashMap<>();

  LogThrottle(LongSupplier nowMillis) {
    this.nowMillis = nowMillis;
  }

  /** The lines of one logger since a time. */
  private static final class LoggerQuota {
    private long beganMillis;
    private int lines;
    private long leftOut;

    synchronized boolean admits(LogRecord line, long now) {
      if (lines == 0 || now - beganMillis >= INTERVAL_MILLIS) {
        if (leftOut > 0) {
          line.setMessage(line.getMessage() + " (" + leftOut + " lines were left out before)");
        }
        beganMillis = now;
        lines = 0;
        leftOut = 0;
      }
      if (lines == MAX_LINES) {
        leftOut++;
        return false;
      }
      lines++;
      return true;
    }
  }

  @Override
  public boolean isLoggable(LogRecord line) {
    OutOfMemoryExit.check(line.getThrown());
    return quotas
        .computeIfAbsent(String.valueOf(line.getLoggerName()), logger -> new LoggerQuota())
        .admits(line, nowMillis.getAsLong());
  }
}
