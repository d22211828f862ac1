package dev.weir;

import dev.weir.spi.Operation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Tells a listener of decisions, and keeps what it throws away from them. */
final class ListenerNotifier {
  private static final System.Logger LOG = System.getLogger(ListenerNotifier.class.getName());

  private final DecisionListener listener;

  ListenerNotifier(DecisionListener listener) {
    this.listener = listener;
  }

  CompletionStage<Decision> of(Operation operation, CompletionStage<Decision> answer) {
    CompletableFuture<Decision> future = answer.toCompletableFuture();
    if (future.isDone() && !future.isCompletedExceptionally()) {
      decided(operation, future.join());
      return answer;
    }
    return future.whenComplete((decision, thrown) -> tell(operation, decision, thrown));
  }

  void decided(Operation operation, Decision decision) {
    safely(() -> listener.decided(operation, decision));
  }

  private void tell(Operation operation, Decision decision, Throwable thrown) {
    if (thrown == null) {
      decided(operation, decision);
      return;
    }
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    if (cause instanceof StoreUnavailableException failure) {
      safely(() -> listener.failed(operation, failure));
    }
  }

  private static void safely(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException broken) {
      LOG.log(System.Logger.Level.WARNING, "a decision listener failed", broken);
    }
  }
}
