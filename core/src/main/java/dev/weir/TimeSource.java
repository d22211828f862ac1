package dev.weir;

import dev.weir.internal.SystemTime;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A clock that never goes back, and that can wake a waiting caller. Safe for many threads.
 *
 * <p>Tests use {@link ManualTime}, which moves only by hand.
 */
public interface TimeSource {
  /** The wall clock as it was when this process started, moved on by the monotonic clock. */
  static TimeSource system() {
    return SystemTime.INSTANCE;
  }

  /** Microseconds since 1970; never less than a value returned before. */
  long nowMicros();

  /** Completes once this clock has moved on by {@code wait}; cancelling it is allowed. */
  CompletionStage<Void> after(Duration wait);
}
