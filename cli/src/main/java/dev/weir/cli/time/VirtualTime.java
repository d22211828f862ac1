package dev.weir.cli.time;

import dev.weir.TimeSource;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A clock on which waiting takes no time: it starts at 1970, and a wait moves it forward at once.
 *
 * <p>For a single thread, as in a replay: with two, the wait of one would move the time of the
 * other.
 */
public final class VirtualTime implements TimeSource {
  private long nowMicros;

  @Override
  public long nowMicros() {
    return nowMicros;
  }

  /** Moves to a time; one that has passed changes nothing, because a clock never goes back. */
  public void moveTo(long micros) {
    nowMicros = Math.max(nowMicros, micros);
  }

  /** Rounds up to whole microseconds, so that nobody wakes too early. */
  @Override
  public CompletionStage<Void> after(Duration wait) {
    moveTo(nowMicros + (wait.toNanos() + 999) / 1000);
    return CompletableFuture.completedFuture(null);
  }
}
