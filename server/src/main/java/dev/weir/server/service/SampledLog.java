package dev.weir.server.service;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A log for what clients can cause as often as they like: one line in ten seconds, with how many
 * were left out. Safe for many threads.
 */
public final class SampledLog {
  static final long INTERVAL_MILLIS = 10_000;

  private final System.Logger log;
  private final LongSupplier nowMillis;
  private final AtomicLong nextMillis = new AtomicLong(Long.MIN_VALUE);
  private final AtomicLong leftOut = new AtomicLong();

  public SampledLog(Class<?> owner) {
    this(System.getLogger(owner.getName()), () -> System.nanoTime() / 1_000_000);
  }

  SampledLog(System.Logger log, LongSupplier nowMillis) {
    this.log = log;
    this.nowMillis = nowMillis;
  }

  public void warn(String message) {
    log(System.Logger.Level.WARNING, message, null);
  }

  public void error(String message, Throwable cause) {
    log(System.Logger.Level.ERROR, message, cause);
  }

  private void log(System.Logger.Level level, String message, @Nullable Throwable cause) {
    long now = nowMillis.getAsLong();
    long next = nextMillis.get();
    if ((next != Long.MIN_VALUE && now < next)
        || !nextMillis.compareAndSet(next, now + INTERVAL_MILLIS)) {
      leftOut.incrementAndGet();
      return;
    }
    long more = leftOut.getAndSet(0);
    log.log(level, more == 0 ? message : message + " (" + more + " times more before)", cause);
  }
}
