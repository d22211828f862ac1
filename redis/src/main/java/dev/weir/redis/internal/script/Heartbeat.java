package dev.weir.redis.internal.script;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Counts the instances that share a store. The answer is the highest number heard in the last ten
 * minutes: a share of a limit must not grow because others have just lost their connection.
 */
public final class Heartbeat {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  static final Duration COUNTS_FOR = Duration.ofSeconds(20);
  private static final Duration REMEMBERED = Duration.ofMinutes(10);

  private final String id = UUID.randomUUID().toString();
  private final Function<String, CompletionStage<Long>> beat;
  private final Deque<Heard> heard = new ArrayDeque<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean stopped;

  private record Heard(long nanos, int instances) {}

  /**
   * @param beat tells the server that the instance of this id is alive; completes with how many are
   */
  public Heartbeat(Function<String, CompletionStage<Long>> beat) {
    this.beat = beat;
  }

  private void beat() {
    beat.apply(id)
        .whenComplete(
            (instances, failure) -> {
              if (failure == null) {
                note(instances.intValue());
              }
              later();
            });
  }

  private void later() {
    if (!stopped) {
      CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
          .execute(
              () -> {
                if (!stopped) {
                  beat();
                }
              });
    }
  }

  private synchronized void note(int instances) {
    heard.addLast(new Heard(System.nanoTime(), instances));
  }

  /** Starts beating when it is first asked: only local shares want to know. */
  public OptionalInt instances() {
    if (started.compareAndSet(false, true)) {
      beat();
    }
    return highest();
  }

  private synchronized OptionalInt highest() {
    long oldest = System.nanoTime() - REMEMBERED.toNanos();
    while (heard.size() > 1 && heard.getFirst().nanos - oldest < 0) {
      heard.removeFirst();
    }
    return heard.stream().mapToInt(Heard::instances).max();
  }

  public void stop() {
    stopped = true;
  }
}
