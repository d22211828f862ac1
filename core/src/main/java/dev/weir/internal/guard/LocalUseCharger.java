package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.internal.Micros;
import dev.weir.internal.guard.LocalUseLedger.LocalUse;
import dev.weir.internal.schedule.Scheduler;
import dev.weir.internal.schedule.Workers;
import dev.weir.spi.LimitStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Charges the store for local use as soon as the store can be reached. It needs no traffic: it runs
 * in rounds in the background, from the first local answer until the ledger is empty. Safe for many
 * threads.
 *
 * <p>A round groups the ledger by the nodes that own the keys now, and charges all nodes at the
 * same time, each by a {@link NodeCharger}. Nodes with an open breaker are left out. Without
 * progress the pause between rounds grows to {@link #LONGEST_PAUSE}; a breaker that closes ends the
 * pause.
 */
final class LocalUseCharger {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(4);

  /** Without this pause, each single late call would be reported as an outage of its own. */
  private static final Duration QUIET_BEFORE_END = Duration.ofSeconds(1);

  private final LocalUseLedger ledger;
  private final LimitStore store;
  private final UnaryOperator<Claim> stillInUse;
  private final Predicate<Claim> isSilent;
  private final LongSupplier nowMicros;
  private final GuardEvents events;
  private volatile boolean active;
  private volatile Duration pause = SHORTEST_PAUSE;
  private volatile @Nullable Future<?> nextRound;
  private volatile CompletableFuture<?> lastRound = CompletableFuture.completedFuture(null);
  private volatile long lastAnswerMicros;
  private volatile boolean stopped;

  /**
   * @param store where charges go: not through the guards, so that neither the callers' deadline
   *     nor a breaker applies; answers or fails each call in bounded time
   * @param stillInUse the part of an entry that still has to be charged
   * @param isSilent whether the node of a claim is known not to answer
   */
  LocalUseCharger(
      LocalUseLedger ledger,
      LimitStore store,
      UnaryOperator<Claim> stillInUse,
      Predicate<Claim> isSilent,
      LongSupplier nowMicros,
      GuardEvents events) {
    this.ledger = ledger;
    this.store = store;
    this.stillInUse = stillInUse;
    this.isSilent = isSilent;
    this.nowMicros = nowMicros;
    this.events = events;
  }

  /** Called after a local answer was entered into the ledger. */
  void begin(int instances) {
    lastAnswerMicros = nowMicros.getAsLong();
    if (!active) {
      start(instances);
    }
  }

  private synchronized void start(int instances) {
    if (!active) {
      active = true;
      events.fallbackStarted(instances);
      pause = SHORTEST_PAUSE;
      later();
    }
  }

  /** A node can be reached again: starts the next round without waiting for the pause. */
  void chargeNow() {
    Future<?> next = nextRound;
    if (next != null && next.cancel(false)) {
      pause = SHORTEST_PAUSE;
      Workers.EXECUTOR.execute(this::round);
    }
  }

  /** Waits for a random half to whole pause, so that instances do not charge in step. */
  private void later() {
    long nanos = pause.toNanos();
    long jittered = nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    nextRound = Scheduler.after(Duration.ofNanos(jittered), Workers.EXECUTOR, this::round);
  }

  private void round() {
    nextRound = null;
    CompletableFuture<Void> round = new CompletableFuture<>();
    lastRound = round; // set before stopped is read: either stop() or this round sees the other
    if (stopped) {
      round.complete(null);
      return;
    }
    chargeAll()
        .whenComplete(
            (finished, failure) -> {
              round.complete(null);
              ended(failure == null && finished > 0);
            });
  }

  /** Returns how many entries need no further attempt. */
  private CompletableFuture<Integer> chargeAll() {
    AtomicInteger finished = new AtomicInteger();
    List<CompletableFuture<?>> nodes = new ArrayList<>();
    for (Deque<LocalUse> entries : entriesByNode().values()) {
      nodes.add(new NodeCharger(ledger, store, stillInUse, events, entries, finished).run());
    }
    return CompletableFuture.allOf(nodes.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> finished.get());
  }

  private Map<String, Deque<LocalUse>> entriesByNode() {
    Map<String, Deque<LocalUse>> byNode = new LinkedHashMap<>();
    for (LocalUse entry : ledger.entries()) {
      try {
        if (!isSilent.test(entry.claim())) {
          String node = store.node(entry.claim());
          byNode.computeIfAbsent(node, n -> new ArrayDeque<>()).add(entry);
        }
      } catch (RuntimeException unknownNode) {
        continue; // cannot be charged in this round
      }
    }
    return byNode;
  }

  private void ended(boolean progress) {
    if (ledger.isEmpty() && isQuiet()) {
      finish();
    } else if (!stopped) {
      Duration longer = pause.multipliedBy(2);
      boolean goesWell = progress || ledger.isEmpty();
      pause =
          goesWell ? SHORTEST_PAUSE : longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
      later();
    }
  }

  private boolean isQuiet() {
    return nowMicros.getAsLong() - lastAnswerMicros >= Micros.of(QUIET_BEFORE_END);
  }

  /**
   * Reports the end of the fallback, unless a claim was answered locally meanwhile. Synchronized
   * with the start, so that events are reported in the order of the changes.
   */
  private synchronized void finish() {
    active = false; // first, so that a local answer from now on is a new start
    if (ledger.isEmpty() && isQuiet()) {
      events.fallbackEnded();
    } else {
      active = true;
      later();
    }
  }

  /** Ends the rounds, after a last one that may take this long. */
  void stop(Duration patience) {
    stopped = true;
    Future<?> next = nextRound;
    if (next != null) {
      next.cancel(false);
    }
    CompletableFuture<?> underWay = lastRound;
    if (ledger.isEmpty() && underWay.isDone()) {
      return;
    }
    try {
      underWay
          .thenApplyAsync(done -> chargeAll(), Workers.EXECUTOR)
          .thenCompose(finished -> finished)
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException failed) {
      events.closedUncharged();
    }
  }
}
