package dev.weir.server;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a service has opened so far; closed in reverse, also when a later part cannot be opened. */
final class CloseableStack implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(CloseableStack.class.getName());

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T part) {
    parts.push(part);
    return part;
  }

  /** Closes all of them, whatever happens to one. */
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
