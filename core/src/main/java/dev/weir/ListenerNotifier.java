package dev.weir;

import dev.weir.internal.CompletionFailures;
import dev.weir.spi.Operation;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Notifies a listener of decisions. Exceptions of the listener never reach the caller; only the
 * first is logged, because a broken listener is likely to fail at every decision.
 */
final class ListenerNotifier {
  private static final System.Logger LOG = System.getLogger(ListenerNotifier.class.getName());

  private final DecisionListener listener;
  private final AtomicBoolean failureLogged = new AtomicBoolean();

  ListenerNotifier(DecisionListener listener) {
    this.listener = listener;
  }

  CompletionStage<Decision> notifying(Operation operation, CompletionStage<Decision> answer) {
    CompletableFuture<Decision> future = answer.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      decided(operation, future.join());
      return answer;
    }
    return future.whenComplete((decision, thrown) -> notify(operation, decision, thrown));
  }

  void decided(Operation operation, Decision decision) {
    safely(() -> listener.decided(operation, decision));
    List<Outcome> outcomes = decision.outcomes();
    for (int i = 0; i < outcomes.size(); i++) {
      warned(outcomes.get(i));
    }
  }

  /** Notifies if this answer is the one that reached the limit's warn-at. */
  void warned(Outcome outcome) {
    if (outcome.firstWarning()) {
      safely(() -> listener.warned(outcome));
    }
  }

  private void notify(Operation operation, Decision decision, Throwable thrown) {
    if (thrown == null) {
      decided(operation, decision);
      return;
    }
    Throwable cause = CompletionFailures.unwrap(thrown);
    if (cause instanceof StoreUnavailableException failure) {
      safely(() -> listener.failed(operation, failure));
    }
  }

  private void safely(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | LinkageError | AssertionError broken) {
      if (failureLogged.compareAndSet(false, true)) {
        LOG.log(
            Level.WARNING,
            "a decision listener failed; further failures of it are not logged",
            broken);
      }
    }
  }
}
