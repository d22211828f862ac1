package dev.weir.redis.internal.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects that a connection has stopped answering: calls time out, and no reply has come since the
 * first timeout. Each connection has a detector of its own, so that replies of other servers and
 * late replies of an old connection do not count. Safe for many threads.
 */
final class UnresponsiveConnectionDetector {
  /** How long calls may time out before the connection counts as dead. */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(2);

  private static final long NONE = 0;

  /** Time of the first timeout since the last reply. */
  private final AtomicLong silentSinceNanos = new AtomicLong(NONE);

  void answered() {
    if (silentSinceNanos.get() != NONE) {
      silentSinceNanos.set(NONE);
    }
  }

  void timedOut(long nowNanos) {
    silentSinceNanos.compareAndSet(NONE, nowNanos == NONE ? 1 : nowNanos);
  }

  /** Whether a call has timed out and nothing was answered since. */
  boolean isSuspect() {
    return silentSinceNanos.get() != NONE;
  }

  /** Whether this has lasted so long that another connection should be made. */
  boolean isSilent(long nowNanos) {
    long since = silentSinceNanos.get();
    return since != NONE && nowNanos - since >= LONGEST_SILENCE.toNanos();
  }
}
