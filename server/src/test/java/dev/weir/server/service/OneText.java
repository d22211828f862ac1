package dev.weir.server.service;

import dev.weir.StoreUnavailableException;
import java.util.Optional;

/** A shared text in this process, which can be lost or out of reach. */
final class OneText implements FleetText {
  Optional<String> value = Optional.empty();
  boolean isDown;

  @Override
  public Optional<String> read() {
    if (isDown) {
      throw new StoreUnavailableException("down");
    }
    return value;
  }

  @Override
  public boolean swap(Optional<String> read, Optional<String> next) {
    if (!read.equals(value)) {
      return false;
    }
    value = next;
    return true;
  }
}
