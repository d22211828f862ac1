package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.CompletionFailures;
import dev.weir.internal.schedule.Scheduler;
import dev.weir.internal.schedule.Workers;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether calls are sent to one node of a store. Safe for many threads.
 *
 * <pre>
 * Closed   calls are sent; {@code failuresToOpen} failures in a row open it, if the last of
 *          those calls was sent after another had failed
 * Open     nothing is sent until the next probe is due
 * Probing  nothing is sent but the probe: it peeks at a key that failed; an answer closes the
 *          breaker, no answer opens it for longer
 * </pre>
 *
 * <p>One pause of the server, the network or this process can make all calls in flight late:
 * hundreds of failures then have one cause. So the breaker opens only when a call that was sent
 * after a failure fails as well.
 *
 * <p>Each closed period is an object of its own, which counts the failures of the calls that were
 * sent in it. A late success or failure belongs to a period that has ended and changes nothing. A
 * period ends once, so there is one probe at a time. Only a missing answer counts as a failure. A
 * node that answers with an error can be reached; {@link RefusalMonitor} watches it.
 */
final class CircuitBreaker {
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final String node;
  private final LimitStore store;
  private final int failuresToOpen;
  private final GuardEvents events;
  private final Runnable whenClosed;
  private final RefusalMonitor refusals;
  private final AtomicReference<BreakerState> state = new AtomicReference<>(new Closed());
  private volatile boolean stopped;

  private sealed interface BreakerState permits Closed, Open, Probing {}

  /** A period in which calls are sent. */
  static final class Closed implements BreakerState {
    private final AtomicInteger failuresInRow = new AtomicInteger();

    boolean hasFailures() {
      return failuresInRow.get() > 0;
    }
  }

  /**
   * @param claim what the probe peeks at
   * @param longestPause the next probe is sent at a random time within this pause
   */
  private record Open(String reason, Claim claim, Duration longestPause) implements BreakerState {}

  private record Probing(Open before) implements BreakerState {}

  /**
   * @param store answers or fails each call in bounded time
   * @param whenClosed run each time the node can be reached again
   */
  CircuitBreaker(
      String node, LimitStore store, int failuresToOpen, GuardEvents events, Runnable whenClosed) {
    this.node = node;
    this.store = store;
    this.failuresToOpen = failuresToOpen;
    this.events = events;
    this.whenClosed = whenClosed;
    this.refusals = new RefusalMonitor(node, store, events);
  }

  /** The period that a call sent now belongs to; null if no call may be sent. */
  @Nullable Closed period() {
    return state.get() instanceof Closed closed ? closed : null;
  }

  /** The failure of a call that is not sent; each call gets its own. */
  StoreUnavailableException notSent() {
    return StoreUnavailableException.withoutStackTrace(
        node + " does not answer, so no calls are sent to it: " + reason());
  }

  private String reason() {
    BreakerState now = state.get();
    if (now instanceof Open open) {
      return open.reason;
    }
    return now instanceof Probing probing ? probing.before.reason : "it has just answered again";
  }

  /**
   * @param took whether the answer says that permits were taken
   */
  void answered(Closed period, boolean took) {
    if (period.failuresInRow.get() != 0) {
      period.failuresInRow.set(0);
    }
    if (took) {
      refusals.accepted();
    }
  }

  /**
   * @param afterFailure whether the call was sent after another had failed
   */
  void failed(Closed period, StoreUnavailableException failure, Claim claim, boolean afterFailure) {
    if (failure.isRefusal()) {
      answered(period, false);
      refusals.refused(failure, claim);
    } else if (period.failuresInRow.incrementAndGet() >= failuresToOpen
        && (afterFailure || failuresToOpen == 1)) {
      open(period, failure, claim);
    }
  }

  private void open(Closed period, StoreUnavailableException failure, Claim claim) {
    String reason = String.valueOf(failure.getMessage());
    Open open = new Open(reason, claim, SHORTEST_PAUSE);
    if (change(period, open, () -> events.breakerOpened(node, failure))) {
      probeLater(open);
    }
  }

  /** One at a time, so that events are reported in the order of the changes. */
  private synchronized boolean change(BreakerState from, BreakerState to, Runnable event) {
    boolean changed = state.compareAndSet(from, to);
    if (changed) {
      event.run();
    }
    return changed;
  }

  /** Full jitter, so that instances that lost a server at the same time do not probe it in step. */
  private void probeLater(Open open) {
    long nanos = ThreadLocalRandom.current().nextLong(open.longestPause.toNanos()) + 1;
    Scheduler.after(Duration.ofNanos(nanos), Workers.EXECUTOR, () -> probe(open));
  }

  private void probe(Open open) {
    Probing probing = new Probing(open);
    if (!stopped && state.compareAndSet(open, probing)) {
      store
          .decide(new Question(Operation.PEEK, List.of(open.claim)))
          .whenComplete((verdicts, thrown) -> probed(probing, verdicts, thrown));
    }
  }

  private void probed(Probing probing, @Nullable Verdicts verdicts, @Nullable Throwable thrown) {
    StoreUnavailableException failure = failureOf(verdicts, thrown);
    if (failure == null || failure.concernsKey()) {
      close(probing, () -> events.breakerClosed(node));
    } else if (failure.isRefusal()) {
      // Reported before the breaker closes.
      boolean reportedNow = refusals.refused(failure, probing.before.claim);
      close(probing, () -> events.breakerClosedByRefusal(node, reportedNow));
    } else {
      stayOpen(probing.before);
    }
  }

  private static @Nullable StoreUnavailableException failureOf(
      @Nullable Verdicts verdicts, @Nullable Throwable thrown) {
    if (verdicts != null) {
      return verdicts.each().get(0).failure();
    }
    Throwable cause = CompletionFailures.unwrap(thrown);
    return cause instanceof StoreUnavailableException failure
        ? failure
        : new StoreUnavailableException("the probe failed: " + cause, cause);
  }

  private void close(Probing probing, Runnable event) {
    change(probing, new Closed(), event);
    whenClosed.run();
  }

  private void stayOpen(Open before) {
    Duration longer = before.longestPause.multipliedBy(2);
    Duration pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    Open open = new Open(before.reason, before.claim, pause);
    state.set(open); // while probing, only the outcome of the probe changes the state
    probeLater(open);
  }

  /** What an operator should know of a node that answers with errors. */
  Optional<String> warning() {
    return refusals.reason().map(reason -> node + " can be reached but refuses: " + reason);
  }

  void stop() {
    stopped = true;
    refusals.stop();
  }
}
