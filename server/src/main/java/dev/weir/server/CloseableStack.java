package dev.weir.server;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The parts that a service has opened so far. They are closed in reverse order, also if a later
 * part cannot be opened.
 */
final class CloseableStack implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CloseableStack.class.getName());

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /** Closes all of them, even if one fails to close. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception failed) {
        LOG.log(System.Logger.Level.WARNING, "a part of the service did not close", failed);
      }
    }
  }
}
