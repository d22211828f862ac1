package dev.weir;

import org.jspecify.annotations.Nullable;

/** The store could not answer; whether permits were taken may be unknown. */
public class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message) {
    this(message, null);
  }

  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
