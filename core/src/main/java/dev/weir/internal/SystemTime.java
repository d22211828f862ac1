package dev.weir.internal;

import dev.weir.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

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

  @Override
  public CompletionStage<Void> after(Duration wait) {
    // One timer thread of the JDK serves every waiting caller; none is started here.
    var timer = CompletableFuture.delayedExecutor(Micros.of(wait), TimeUnit.MICROSECONDS);
    return CompletableFuture.runAsync(() -> {}, timer);
  }
}
