package dev.weir.redis.internal.script;

import dev.weir.internal.schedule.Scheduler;
import dev.weir.internal.schedule.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Registers this instance with the server every few seconds and receives how many are alive; signs
 * off when the store is closed. {@link InstanceCount} defines the number. Safe for many threads.
 */
public final class Heartbeat {
  private static final Duration PAUSE = Duration.ofSeconds(5);
  private static final Duration COUNTS_FOR = Duration.ofSeconds(20);
  private static final Duration PATIENCE_AT_CLOSE = Duration.ofMillis(200);

  private final String id = UUID.randomUUID().toString();
  private final Function<List<String>, CompletionStage<List<Long>>> script;
  private final InstanceCount count = new InstanceCount();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile OptionalInt instances = OptionalInt.empty();
  private volatile long joinedMicros;
  private volatile long lastReplyMicros;
  private volatile boolean stopped;

  /**
   * @param script runs heartbeat.lua with these arguments
   */
  public Heartbeat(Function<List<String>, CompletionStage<List<Long>>> script) {
    this.script = script;
  }

  /**
   * Starts the heartbeat at the first call, because only local shares need the number. Never waits.
   */
  public OptionalInt instances() {
    if (!started.get() && started.compareAndSet(false, true)) {
      Workers.EXECUTOR.execute(this::beat);
    }
    return instances;
  }

  private void beat() {
    if (stopped) {
      return;
    }
    send(false)
        .whenComplete(
            (reply, failure) -> {
              if (failure == null) {
                heard(reply);
              }
              Scheduler.after(PAUSE, Workers.EXECUTOR, this::beat);
            });
  }

  private CompletionStage<List<Long>> send(boolean leaves) {
    List<String> arguments =
        List.of(
            id,
            String.valueOf(joinedMicros),
            leaves ? "1" : "0",
            String.valueOf(lastReplyMicros),
            String.valueOf(COUNTS_FOR.toMillis()),
            String.valueOf(InstanceCount.REMEMBERED.toMillis()));
    try {
      return script.apply(arguments);
    } catch (RuntimeException failure) { // from the client; the next heartbeat is still sent
      return CompletableFuture.failedStage(failure);
    }
  }

  private synchronized void heard(List<Long> reply) {
    long serverMicros = reply.get(0);
    List<InstanceCount.Departure> departures = new ArrayList<>();
    for (int i = 2; i < reply.size(); i += 2) {
      departures.add(new InstanceCount.Departure(reply.get(i), reply.get(i + 1)));
    }
    count.heard(System.nanoTime(), serverMicros, reply.get(1).intValue(), departures);
    joinedMicros = joinedMicros == 0 ? serverMicros : joinedMicros;
    lastReplyMicros = serverMicros;
    instances = count.highest();
  }

  /** Signs off, waiting a moment for the server to confirm. */
  public void stop() {
    stopped = true;
    if (joinedMicros == 0) {
      return;
    }
    try {
      send(true).toCompletableFuture().get(PATIENCE_AT_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException unheard) {
      return; // the server drops an instance that sends no heartbeats
    }
  }
}
