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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches whether a node that can be reached refuses calls. Safe for many threads.
 *
 * <p>A server without memory still answers peeks and denials, so its answers alternate with
 * refusals. Two rules keep that from being reported as a change per call. The node accepts again
 * when permits were taken since the last refusal, which is at least a second ago; or when nothing
 * was refused for {@value #QUIET_SECONDS} s and a peek is answered, which is all that can be known
 * without traffic.
 */
final class RefusalMonitor {
  static final long QUIET_SECONDS = 30;
  private static final Duration CHECK = Duration.ofSeconds(1);

  private final String node;
  private final LimitStore store;
  private final GuardEvents events;
  private final LongSupplier nanoTime;
  private final AtomicBoolean refusing = new AtomicBoolean();
  private volatile String lastReason = "";
  private volatile long lastRefusalNanos;
  private volatile boolean accepted;
  private volatile boolean stopped;

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
   * A call was answered with an error; one that concerns a single key says nothing of the node.
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
    boolean isNews = refusing.compareAndSet(false, true);
    if (isNews) {
      events.nodeRefuses(node, failure);
      checkLater(claim);
    }
    return isNews;
  }

  /** Why the node refuses; empty if it does not. */
  Optional<String> reason() {
    return refusing.get() ? Optional.of(lastReason) : Optional.empty();
  }

  /** Permits were taken. */
  void accepted() {
    if (refusing.get() && !accepted) {
      accepted = true;
    }
  }

  private void checkLater(Claim claim) {
    Scheduler.after(CHECK, Workers.EXECUTOR, () -> check(claim));
  }

  /** Checks whether the node has stopped refusing, and again later until it has. */
  void check(Claim claim) {
    if (stopped) {
      return;
    }
    long quietNanos = nanoTime.getAsLong() - lastRefusalNanos;
    if (accepted && quietNanos >= CHECK.toNanos()) {
      end();
    } else if (quietNanos >= Duration.ofSeconds(QUIET_SECONDS).toNanos()) {
      store
          .decide(new Question(Operation.PEEK, List.of(claim)))
          .whenComplete((verdicts, thrown) -> peeked(claim, verdicts));
    } else {
      checkLater(claim);
    }
  }

  private void peeked(Claim claim, @Nullable Verdicts verdicts) {
    if (verdicts != null && !verdicts.each().get(0).isFailure()) {
      end();
    } else {
      checkLater(claim);
    }
  }

  private void end() {
    refusing.set(false);
    events.nodeAccepts(node);
  }

  void stop() {
    stopped = true;
  }
}
