package dev.weir;

import java.util.Collection;
import java.util.List;

/**
 * Receives the state changes of a guarded store: one call per change, not per request.
 *
 * <p>Calls come one at a time, in the order of the changes, on a thread that exists for callbacks.
 * A listener may block or call a limiter; that delays only its own next call. Exceptions it throws
 * are logged once and otherwise ignored.
 */
public interface GuardListener {
  /**
   * A node has failed to answer several times in a row; no calls are sent to it until it answers a
   * probe.
   */
  default void breakerOpened(String node, StoreUnavailableException cause) {}

  /**
   * The node can be reached again. If it answered the probe with an error, {@link #nodeRefuses} was
   * called before.
   */
  default void breakerClosed(String node) {}

  /**
   * A node can be reached but answers with errors: it is out of memory, loading, read-only, or
   * lacks a right. Claims it refuses are answered by their failure policies.
   *
   * @param cause the first refusal; its message names the reason
   */
  default void nodeRefuses(String node, StoreUnavailableException cause) {}

  /** The node has stopped refusing. */
  default void nodeAccepts(String node) {}

  /** A claim was answered by this instance's local share for the first time in this outage. */
  default void fallbackStarted() {}

  /** The store answers again, and has been charged what was used locally. */
  default void fallbackEnded() {}

  /** Several listeners as one. What one throws keeps those after it from being notified. */
  static GuardListener all(Collection<? extends GuardListener> listeners) {
    List<GuardListener> all = List.copyOf(listeners);
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
