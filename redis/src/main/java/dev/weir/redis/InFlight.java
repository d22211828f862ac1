package dev.weir.redis;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the calls under way, and notices when a connection has stopped answering. Safe for many
 * threads.
 *
 * <p>A call that has timed out is over for its caller, but the client's queue still holds its place
 * until the server answers. So it goes on counting, until something is answered: answers come in
 * order, and then the server has caught up. While none does, one call at a time may still try.
 */
final class InFlight {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(3);

  private final int most;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger overdue = new AtomicInteger();

  /** When the first call timed out that nothing was answered since; meaningless if none did. */
  private volatile long silentSinceNanos;

  InFlight(int most) {
    this.most = most;
  }

  /** Makes room for a call, which must end as answered or as timed out; or says there is none. */
  boolean start() {
    int calls = waiting.incrementAndGet();
    if (calls > most || calls > 1 && calls + overdue.get() > most) {
      waiting.decrementAndGet();
      return false;
    }
    return true;
  }

  /** The call has ended, and with it all before it: with an answer, or with its connection. */
  void answered() {
    waiting.decrementAndGet();
    if (overdue.get() != 0) {
      overdue.set(0);
    }
  }

  /**
   * The call has not been answered in time.
   *
   * @return whether there was no answer for so long that another connection should be tried
   */
  boolean timedOut() {
    long now = System.nanoTime();
    if (overdue.getAndIncrement() == 0) {
      silentSinceNanos = now;
    }
    waiting.decrementAndGet();
    return now - silentSinceNanos > LONGEST_SILENCE.toNanos();
  }
}
