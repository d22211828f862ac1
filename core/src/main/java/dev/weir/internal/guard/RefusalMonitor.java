package dev.weir.internal.guard;

import dev.weir.Claim;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.Scheduler;
import dev.weir.internal.schedule.Workers;
import dev.weir.spi.LimitStore;
import dev.weir.spi.Operation;
import dev.weir.spi.Question;
import dev.weir.spi.Verdicts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether a node that can be reached refuses calls. Safe for many threads.
 *
 * <p>A server without memory still answers peeks and denials, so its answers alternate with
 * refusals. Two rules keep that from being reported as a change per call. The node accepts again
 * when permits were taken since the last refusal, and that refusal is at least a second ago; or
 * when nothing was refused for {@value #QUIET_SECONDS} s and a peek is answered. The second rule is
 * for nodes without traffic, and may be wrong. So each time a peek ends a refusal, the next one
 * must be quiet for twice as long, until taken permits end one.
 */
final class RefusalMonitor {
  static final long QUIET_SECONDS = 30;
  private static final Duration LONGEST_QUIET = Duration.ofMinutes(10);
  private static final Duration CHECK = Duration.ofSeconds(1);

  private final String node;
  private final LimitStore store;
  private final GuardEvents events;
  private final LongSupplier nanoTime;
  private volatile boolean refusing;
  private volatile Duration quiet = Duration.ofSeconds(QUIET_SECONDS);
  private volatile String lastReason = "";
  private volatile long lastRefusalNanos;
  private volatile boolean accepted;
  private volatile boolean stopped;
  private boolean needsLog;

  RefusalMonitor(String node, LimitStore store, GuardEvents events) {
    this(node, store, events, System::nanoTime);
  }

  RefusalMonitor(String node, LimitStore store, GuardEvents events, LongSupplier nanoTime) {
    this.node = node;
    this.store = store;
    this.events = events;
    this.nanoTime = nanoTime;
  }

  /**
   * Notes that a call was answered with an error. An error about a single key is ignored, because
   * it says nothing about the node.
   *
   * @return whether the node did not refuse before, so that the listener was notified
   */
  boolean refused(StoreUnavailableException failure, Claim claim) {
    if (failure.concernsKey()) {
      return false;
    }
    lastRefusalNanos = nanoTime.getAsLong();
    lastReason = String.valueOf(failure.getMessage());
    accepted = false;
    return !refusing && begin(failure, claim);
  }

  private synchronized boolean begin(StoreUnavailableException failure, Claim claim) {
    if (refusing) {
      return false;
    }
    refusing = true;
    needsLog = store.warnings().isEmpty(); // a store that warns of a refusal also logs it
    events.nodeRefuses(node, failure, needsLog);
    checkLater(claim);
    return true;
  }

  /** Why the node refuses; empty if it does not. */
  Optional<String> reason() {
    return refusing ? Optional.of(lastReason) : Optional.empty();
  }

  /** Permits were taken. */
  void accepted() {
    if (refusing && !accepted) {
      accepted = true;
    }
  }

  private void checkLater(Claim claim) {
    Scheduler.after(CHECK, Workers.EXECUTOR, () -> check(claim));
  }

  /** Checks whether the node has stopped refusing, and again later until it has. */
  void check(Claim claim) {
    if (stopped || !refusing) {
      return;
    }
    Duration refusedBefore = sinceLastRefusal();
    if (accepted && refusedBefore.compareTo(CHECK) >= 0) {
      quiet = Duration.ofSeconds(QUIET_SECONDS);
      end(claim);
    } else if (refusedBefore.compareTo(quiet) >= 0) {
      store
          .decide(new Question(Operation.PEEK, List.of(claim)))
          .whenComplete((verdicts, thrown) -> peeked(claim, verdicts));
    } else {
      checkLater(claim);
    }
  }

  private Duration sinceLastRefusal() {
    return Duration.ofNanos(nanoTime.getAsLong() - lastRefusalNanos);
  }

  private void peeked(Claim claim, @Nullable Verdicts verdicts) {
    if (verdicts != null && !verdicts.each().get(0).isFailure()) {
      Duration longer = quiet.multipliedBy(2);
      quiet = longer.compareTo(LONGEST_QUIET) > 0 ? LONGEST_QUIET : longer;
      end(claim);
    } else {
      checkLater(claim);
    }
  }

  /**
   * Reports that the node accepts again, unless it has refused meanwhile. Synchronized with the
   * beginning, so that events are reported in the order of the changes.
   */
  private synchronized void end(Claim claim) {
    refusing = false; // first, so that a refusal from now on is a new one
    if (sinceLastRefusal().compareTo(CHECK) >= 0) {
      events.nodeAccepts(node, needsLog);
    } else {
      refusing = true;
      checkLater(claim);
    }
  }

  void stop() {
    stopped = true;
  }
}
