package dev.weir.server.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Logs failures that a client may be able to cause at will: one in a while with its stack, and how
 * many there were since. Safe for many threads.
 */
final class SampledLog {
  private static final long PAUSE_NANOS = 60_000_000_000L;

  private final System.Logger log;
  private final LongSupplier nanoTime;
  private final AtomicLong unlogged = new AtomicLong();
  private final AtomicLong nextNanos;

  SampledLog(System.Logger log, LongSupplier nanoTime) {
    this.log = log;
    this.nanoTime = nanoTime;
    this.nextNanos = new AtomicLong(nanoTime.getAsLong());
  }

  void error(String message, Throwable failure) {
    long now = nanoTime.getAsLong();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + PAUSE_NANOS)) {
      unlogged.incrementAndGet();
      return;
    }
    long others = unlogged.getAndSet(0);
    String count = others == 0 ? "" : " (" + others + " more since the last such line)";
    log.log(System.Logger.Level.ERROR, message + count, failure);
  }
}
