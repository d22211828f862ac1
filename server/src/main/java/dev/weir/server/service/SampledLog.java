package dev.weir.server.service;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs events that clients can cause at will: one line per minute, with the number of events since
 * the last. Safe for many threads.
 */
public final class SampledLog {
  private static final long PAUSE_NANOS = 60_000_000_000L;

  private final System.Logger log;
  private final LongSupplier nanoTime;
  private final AtomicLong unlogged = new AtomicLong();
  private final AtomicLong nextNanos;

  public SampledLog(Class<?> owner) {
    this(System.getLogger(owner.getName()), System::nanoTime);
  }

  public SampledLog(System.Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
    this.nextNanos = new AtomicLong(nanoTime.getAsLong());
  }

  public void warn(String message) {
    log(System.Logger.Level.WARNING, message, null);
  }

  /** With the stack trace; an OutOfMemoryError is always logged. */
  public void error(String message, Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      log.log(System.Logger.Level.ERROR, message, failure);
      return;
    }
    log(System.Logger.Level.ERROR, message, failure);
  }

  private void log(System.Logger.Level level, String message, @Nullable Throwable failure) {
    long now = nanoTime.getAsLong();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
      unlogged.incrementAndGet();
      return;
    }
    long others = unlogged.getAndSet(0);
    String count = others == 0 ? "" : " (" + others + " more since the last such line)";
    log.log(level, message + count, failure);
  }
}
