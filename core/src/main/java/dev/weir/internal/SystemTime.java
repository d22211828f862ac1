package dev.weir.internal;

import dev.weir.TimeSource;
import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;

/**
 * The wall clock at start plus {@link System#nanoTime}: it cannot step when the wall clock is set,
 * and it costs one read of the monotonic clock.
 */
public final class SystemTime implements TimeSource {
  public static final SystemTime INSTANCE = new SystemTime();

  private final long anchorMicros;
  private final long anchorNanos;

  private SystemTime() {
    Instant wall = Instant.now();
    anchorNanos = System.nanoTime();
    anchorMicros = wall.getEpochSecond() * 1_000_000 + wall.getNano() / 1000;
  }

  @Override
  public long nowMicros() {
    return anchorMicros + (System.nanoTime() - anchorNanos) / 1000;
  }

  /** Completes on a thread for callbacks; a wait that is cancelled leaves no timer behind. */
  @Override
  public CompletionStage<Void> after(Duration wait) {
    CompletableFuture<Void> elapsed = new CompletableFuture<>();
    Future<?> timer = Scheduler.after(wait, Callbacks.EXECUTOR, () -> elapsed.complete(null));
    elapsed.whenComplete((done, cancelled) -> timer.cancel(false));
    return elapsed;
  }
}
