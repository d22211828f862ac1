package dev.weir;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A clock that stands still until a test moves it. Safe for many threads.
 *
 * <p>It starts at 1970. Callers that wait on it are woken by the move that reaches their time, on
 * the moving thread, in the order of their times.
 */
public final class ManualTime implements TimeSource {
  private final List<Sleeper> sleepers = new ArrayList<>();
  private long nowMicros;

  private record Sleeper(long wakeAtMicros, CompletableFuture<Void> woken) {}

  /** A clock that shows 1970. */
  public ManualTime() {}

  @Override
  public synchronized long nowMicros() {
    return nowMicros;
  }

  /** Moves on; zero is allowed. */
  public void advance(Duration by) {
    advanceMicros(by.toNanos() / 1000);
  }

  public void advanceMicros(long micros) {
    if (micros < 0) {
      throw new IllegalArgumentException("micros must be 0 or more, was " + micros);
    }
    moveTo(nowMicros() + micros);
  }

  /** Moves to an instant; one that has passed changes nothing, because a clock never goes back. */
  public void set(Instant instant) {
    moveTo(instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000);
  }

  /** How many callers wait on this clock. */
  public synchronized int sleepers() {
    return (int) sleepers.stream().filter(sleeper -> !sleeper.woken.isDone()).count();
  }

  @Override
  public CompletionStage<Void> after(Duration wait) {
    CompletableFuture<Void> woken = new CompletableFuture<>();
    synchronized (this) {
      long micros = (wait.toNanos() + 999) / 1000;
      if (micros > 0) {
        sleepers.add(new Sleeper(nowMicros + micros, woken));
        return woken;
      }
    }
    woken.complete(null);
    return woken;
  }

  private void moveTo(long micros) {
    List<Sleeper> due = new ArrayList<>();
    synchronized (this) {
      nowMicros = Math.max(nowMicros, micros);
      sleepers.removeIf(sleeper -> sleeper.wakeAtMicros <= nowMicros && due.add(sleeper));
    }
    due.sort(Comparator.comparingLong(Sleeper::wakeAtMicros));
    due.forEach(sleeper -> sleeper.woken.complete(null));
  }
}
