package dev.weir.internal.guard;

import dev.weir.GuardListener;
import dev.weir.GuardedStore;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.schedule.Callbacks;
import dev.weir.internal.schedule.SerialExecutor;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Logs state changes of the guards and notifies the listener, in order, on threads for callbacks,
 * so that a slow or failing listener or log handler does not affect the guards. Safe for many
 * threads.
 */
public final class GuardEvents {
  private static final System.Logger LOG = System.getLogger(GuardedStore.class.getName());

  private final GuardListener listener;
  private final boolean logs;
  private final SerialExecutor logging = SerialExecutor.droppingOldest(Callbacks.EXECUTOR);
  private final SerialExecutor listening = SerialExecutor.droppingOldest(Callbacks.EXECUTOR);
  private final AtomicBoolean failureLogged = new AtomicBoolean();

  private GuardEvents(GuardListener listener, boolean logs) {
    this.listener = listener;
    this.logs = logs;
  }

  public static GuardEvents of(GuardListener listener) {
    return new GuardEvents(listener, true);
  }

  /** Neither logs nor notifies. */
  public static GuardEvents none() {
    return new GuardEvents(new GuardListener() {}, false);
  }

  void breakerOpened(String node, StoreUnavailableException cause) {
    log(
        Level.WARNING,
        "{0} does not answer, so no calls are sent to it any more: {1}",
        node,
        cause.getMessage());
    notifyListener(target -> target.breakerOpened(node, cause));
  }

  /** The probe was answered. */
  void breakerClosed(String node) {
    log(Level.INFO, "{0} answers again", node);
    notifyListener(target -> target.breakerClosed(node));
  }

  /**
   * The probe was answered with an error, which {@link #nodeRefuses} has reported.
   *
   * @param alreadyLogged whether the refusal was reported just now, and so is in the log
   */
  void breakerClosedByRefusal(String node, boolean alreadyLogged) {
    if (!alreadyLogged) {
      log(Level.WARNING, "{0} can be reached again but still refuses", node);
    }
    notifyListener(target -> target.breakerClosed(node));
  }

  /**
   * @param needsLog false if the store itself logs the refusal
   */
  void nodeRefuses(String node, StoreUnavailableException cause, boolean needsLog) {
    if (needsLog) {
      log(Level.WARNING, "{0} can be reached but refuses: {1}", node, cause.getMessage());
    }
    notifyListener(target -> target.nodeRefuses(node, cause));
  }

  /**
   * @param needsLog false if the store itself logs the end of the refusal
   */
  void nodeAccepts(String node, boolean needsLog) {
    if (needsLog) {
      log(Level.INFO, "{0} accepts calls again", node);
    }
    notifyListener(target -> target.nodeAccepts(node));
  }

  void fallbackStarted(int instances) {
    log(
        Level.WARNING,
        "the store does not answer; each instance now enforces 1/{0} of every limit with policy"
            + " local",
        instances);
    notifyListener(GuardListener::fallbackStarted);
  }

  void fallbackEnded() {
    log(Level.INFO, "the store answers again and has been charged what was used locally");
    notifyListener(GuardListener::fallbackEnded);
  }

  /** The outcome of charges for these claims was unknown twice, so they are not sent again. */
  void chargesGivenUp(int claims) {
    log(
        Level.WARNING,
        "the store did not confirm charges for {0} locally used keys after two attempts; they are"
            + " dropped",
        claims);
  }

  void closedUncharged() {
    log(Level.WARNING, "closed before the store could be charged all that was used locally");
  }

  private void log(Level level, String format, Object... values) {
    if (logs) {
      logging.execute(() -> LOG.log(level, format, values));
    }
  }

  private void notifyListener(Consumer<GuardListener> change) {
    listening.execute(
        () -> {
          try {
            change.accept(listener);
          } catch (RuntimeException | Error failure) {
            logOnce(failure);
          }
        });
  }

  private void logOnce(Throwable failure) {
    if (failureLogged.compareAndSet(false, true)) {
      LOG.log(Level.ERROR, "the guard listener " + listener + " failed; not logged again", failure);
    }
  }
}
