package dev.weir.server;

import dev.weir.Decision;
import dev.weir.DecisionListener;
import dev.weir.GuardListener;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.Operation;

/** Two listeners as one. */
final class CompositeListeners {
  private CompositeListeners() {}

  static DecisionListener both(DecisionListener one, DecisionListener other) {
    return new DecisionListener() {
      @Override
      public void decided(Operation operation, Decision decision) {
        one.decided(operation, decision);
        other.decided(operation, decision);
      }

      @Override
      public void failed(Operation operation, StoreUnavailableException failure) {
        one.failed(operation, failure);
        other.failed(operation, failure);
      }
    };
  }

  static GuardListener both(GuardListener one, GuardListener other) {
    return new GuardListener() {
      @Override
      public void breakerOpened(String node, StoreUnavailableException cause) {
        one.breakerOpened(node, cause);
        other.breakerOpened(node, cause);
      }

      @Override
      public void breakerClosed(String node) {
        one.breakerClosed(node);
        other.breakerClosed(node);
      }

      @Override
      public void fallbackStarted() {
        one.fallbackStarted();
        other.fallbackStarted();
      }

      @Override
      public void fallbackEnded() {
        one.fallbackEnded();
        other.fallbackEnded();
      }
    };
  }
}
