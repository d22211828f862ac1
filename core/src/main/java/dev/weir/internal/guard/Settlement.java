package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.internal.Micros;
import dev.weir.internal.guard.LocalUseLedger.Entry;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Charges the store what was used locally, as soon as it can be reached. Needs no traffic: it runs
 * in rounds, in the background, from the first local answer until the ledger is empty. Safe for
 * many threads.
 *
 * <p>A round sorts the ledger by the nodes that own the keys now, and settles the nodes side by
 * side, each by a {@link NodeSettlement}. Nodes whose breaker is open are left out. Without
 * progress the pause between rounds grows to {@link #LONGEST_PAUSE}; a breaker that closes ends the
 * pause.
 */
final class Settlement {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(4);

  /** Keeps single late calls from being reported as one outage each. */
  private static final Duration QUIET_BEFORE_END = Duration.ofSeconds(1);

  private final LocalUseLedger ledger;
  private final LimitStore store;
  private final UnaryOperator<Claim> stillInUse;
  private final Predicate<Claim> isSilent;
  private final LongSupplier nowMicros;
  private final GuardEvents events;
  private final AtomicBoolean active = new AtomicBoolean();
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile Duration pause = SHORTEST_PAUSE;
  private volatile @Nullable Future<?> nextRound;
  private volatile long lastAnswerMicros;
  private volatile boolean stopped;

  /**
   * @param store where charges go: not through the guards, so that neither the callers' deadline
   *     nor a breaker applies; answers or fails each call in bounded time
   * @param stillInUse the part of a noted use that is still to be charged
   * @param isSilent whether the node of a claim is known not to answer
   */
  Settlement(
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

  /** Something was answered locally, and stands in the ledger. */
  void begin(int instances) {
    lastAnswerMicros = nowMicros.getAsLong();
    if (!active.get() && active.compareAndSet(false, true)) {
      events.fallbackStarted(instances);
    }
    if (!running.get() && running.compareAndSet(false, true)) {
      pause = SHORTEST_PAUSE;
      later();
    }
  }

  /** A node can be reached again: starts the next round without waiting for the pause. */
  void hurry() {
    Future<?> next = nextRound;
    if (next != null && next.cancel(false)) {
      pause = SHORTEST_PAUSE;
      Workers.EXECUTOR.execute(this::round);
    }
  }

  /** Between half of the pause and all of it: instances do not charge in step. */
  private void later() {
    long nanos = pause.toNanos();
    long jittered = nanos / 2 + ThreadLocalRandom.current().nextLong(nanos / 2 + 1);
    nextRound = Scheduler.after(Duration.ofNanos(jittered), Workers.EXECUTOR, this::round);
  }

  private void round() {
    nextRound = null;
    if (!stopped) {
      settleAll().whenComplete((settled, failure) -> ended(failure == null && settled > 0));
    }
  }

  /** How many entries were settled. */
  private CompletableFuture<Integer> settleAll() {
    AtomicInteger settled = new AtomicInteger();
    List<CompletableFuture<?>> nodes = new ArrayList<>();
    for (Deque<Entry> entries : entriesByNode().values()) {
      nodes.add(new NodeSettlement(ledger, store, stillInUse, events, entries, settled).run());
    }
    return CompletableFuture.allOf(nodes.toArray(CompletableFuture<?>[]::new))
        .thenApply(done -> settled.get());
  }

  private Map<String, Deque<Entry>> entriesByNode() {
    Map<String, Deque<Entry>> byNode = new LinkedHashMap<>();
    for (Entry entry : ledger.entries()) {
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

  private void finish() {
    running.set(false);
    if (active.compareAndSet(true, false)) {
      events.fallbackEnded();
    }
    if (!ledger.isEmpty() && running.compareAndSet(false, true)) {
      later(); // a claim was answered locally at the same time
    }
  }

  /** Ends the rounds; what can be charged within the given time still is. */
  void stop(Duration patience) {
    stopped = true;
    Future<?> next = nextRound;
    if (next != null) {
      next.cancel(false);
    }
    if (ledger.isEmpty()) {
      return;
    }
    try {
      CompletableFuture.supplyAsync(this::settleAll, Workers.EXECUTOR)
          .thenCompose(settled -> settled)
          .get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException failed) {
      events.closedUnsettled();
    }
  }
}
