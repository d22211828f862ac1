package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import java.util.Optional;

/**
 * A text that all instances of a fleet share. Safe for many threads; calls wait for the server and
 * must not run on an event loop.
 */
public interface FleetText {
  /**
   * The text as it is now; empty if there is none.
   *
   * @throws StoreUnavailableException if it cannot be read
   */
  Optional<String> read();

  /**
   * Changes the text, unless it has changed since it was read.
   *
   * @param next the new text; empty removes it
   * @return whether it was still the one that was read, and is the new one now
   * @throws StoreUnavailableException if it cannot be changed; whether it was is then unknown
   */
  boolean swap(Optional<String> read, Optional<String> next);
}
