package dev.weir.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

/** How many lines a client can cause. */
final class LogThrottleTest {
  private final AtomicLong nowMillis = new AtomicLong();
  private final LogThrottle throttle = new LogThrottle(nowMillis::get);

  @Test
  void aLoggerWritesTwentyLinesInTenSecondsAndThenSaysHowManyWereLeftOut() {
    assertThat(admitted("net", 1000)).isEqualTo(20);
    assertThat(admitted("other", 3)).isEqualTo(3);

    nowMillis.addAndGet(10_000);
    LogRecord next = line("net");
    assertThat(throttle.isLoggable(next)).isTrue();
    assertThat(next.getMessage()).isEqualTo("reset by peer (980 lines were left out before)");
    assertThat(admitted("net", 1000)).isEqualTo(19);
  }

  private int admitted(String logger, int lines) {
    int admitted = 0;
    for (int i = 0; i < lines; i++) {
      admitted += throttle.isLoggable(line(logger)) ? 1 : 0;
    }
    return admitted;
  }

  private static LogRecord line(String logger) {
    LogRecord line = new LogRecord(Level.WARNING, "reset by peer");
    line.setLoggerName(logger);
    return line;
  }
}
