package dev.weir.internal.memory;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Notes when a memory store is full, logs once when that begins and once when it has ended. Safe
 * for many threads.
 */
final class MemoryPressure {
  private static final System.Logger LOG = System.getLogger(MemoryPressure.class.getName());
  private static final long OVER_AFTER_MICROS = Duration.ofSeconds(30).toNanos() / 1000;

  private final MemoryBudget budget;
  private final LongAdder forgotten = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicBoolean full = new AtomicBoolean();
  private volatile long lastMicros;

  MemoryPressure(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Called when a partly used key was evicted for another one. */
  void forgot(long nowMicros) {
    forgotten.increment();
    note(nowMicros);
  }

  /** Called when no room could be made for a new key. */
  void refused(long nowMicros) {
    refused.increment();
    note(nowMicros);
  }

  private void note(long nowMicros) {
    lastMicros = nowMicros;
    if (full.compareAndSet(false, true)) {
      LOG.log(
          Level.WARNING,
          "the memory store is full ({0}): the least used keys are forgotten, and where all are"
              + " exhausted, failure policies answer for new keys",
          budget);
    }
  }

  /** Ends the warning when no key was evicted or refused for a while. */
  void endWarningIfOver(long nowMicros) {
    if (full.get()
        && nowMicros - lastMicros >= OVER_AFTER_MICROS
        && full.compareAndSet(true, false)) {
      LOG.log(Level.INFO, "the memory store has room again");
    }
  }

  long forgottenKeys() {
    return forgotten.sum();
  }

  long refusedKeys() {
    return refused.sum();
  }

  Optional<String> warning() {
    return full.get()
        ? Optional.of(
            "the memory store is full ("
                + budget
                + "): "
                + forgotten
                + " partly used keys forgotten and "
                + refused
                + " new keys refused since the start")
        : Optional.empty();
  }
}
