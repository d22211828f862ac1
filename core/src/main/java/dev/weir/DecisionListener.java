package dev.weir;

import dev.weir.spi.Operation;

/**
 * Told of every answer a limiter gives, once each: for metrics, audits, logs. Called on the thread
 * that completes the decision, so it must be quick and safe for many threads.
 */
public interface DecisionListener {
  /** A decision was made, be it by the store, by a guard or by a failure policy. */
  void decided(Operation operation, Decision decision);

  /** There was none: the store failed a policy that asks for {@link FailurePolicy#ERROR}. */
  default void failed(Operation operation, StoreUnavailableException failure) {}
}
