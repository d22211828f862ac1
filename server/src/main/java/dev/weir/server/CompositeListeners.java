package dev.weir.server;

import dev.weir.Decision;
import dev.weir.DecisionListener;
import dev.weir.GuardListener;
import dev.weir.StoreUnavailableException;
import dev.weir.spi.Operation;
import java.util.List;

/** Several listeners as one. */
final class CompositeListeners {
  private CompositeListeners() {}

  static DecisionListener ofDecisions(DecisionListener... listeners) {
    DecisionListener[] all = listeners.clone();
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
    };
  }

  static GuardListener ofGuards(GuardListener... listeners) {
    List<GuardListener> all = List.of(listeners);
    return new GuardListener() {
      @Override
      public void breakerOpened(String node, StoreUnavailableException cause) {
        all.forEach(listener -> listener.breakerOpened(node, cause));
      }

      @Override
      public void breakerClosed(String node) {
        all.forEach(listener -> listener.breakerClosed(node));
      }

      @Override
      public void nodeRefuses(String node, StoreUnavailableException cause) {
        all.forEach(listener -> listener.nodeRefuses(node, cause));
      }

      @Override
      public void nodeAccepts(String node) {
        all.forEach(listener -> listener.nodeAccepts(node));
      }

      @Override
      public void fallbackStarted() {
        all.forEach(GuardListener::fallbackStarted);
      }

      @Override
      public void fallbackEnded() {
        all.forEach(GuardListener::fallbackEnded);
      }
    };
  }
}
