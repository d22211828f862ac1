package dev.weir;

import dev.weir.spi.Operation;
import java.util.Collection;

/**
 * Receives every answer of a limiter, once each: for metrics, audits, logs. It runs on the thread
 * that completes the decision, so it must be quick and safe for many threads. What it throws is
 * logged once and never reaches the caller.
 */
public interface DecisionListener {
  /** A decision was made: by the store, by a guard or by a failure policy. */
  void decided(Operation operation, Decision decision);

  /** No decision was made: the store failed, and a policy has {@link FailurePolicy#ERROR}. */
  default void failed(Operation operation, StoreUnavailableException failure) {}

  /**
   * So much of a window was used that the warn-at of its limit is reached. Called once per key and
   * window, after {@link #decided}, for the decision, charge or settlement that reached it: by one
   * of all instances that share the store.
   */
  default void warned(Outcome outcome) {}

  /** Several listeners as one. If one throws, those after it are not notified. */
  static DecisionListener all(Collection<? extends DecisionListener> listeners) {
    DecisionListener[] all = listeners.toArray(DecisionListener[]::new);
    return new DecisionListener() {
      @Override
      public void decided(Operation operation, Decision decision) {
        for (DecisionListener listener : all) {
          listener.decided(operation, decision);
        }
      }

      @Override
      public void failed(Operation operation, StoreUnavailableException failure) {
        for (DecisionListener listener : all) {
          listener.failed(operation, failure);
        }
      }

      @Override
      public void warned(Outcome outcome) {
        for (DecisionListener listener : all) {
          listener.warned(outcome);
        }
      }
    };
  }
}
