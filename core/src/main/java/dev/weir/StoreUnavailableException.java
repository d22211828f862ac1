package dev.weir;

import org.jspecify.annotations.Nullable;

/** The store could not answer; whether permits were taken may be unknown. */
public class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean refused;

  /** The store is silent or out of reach. */
  public StoreUnavailableException(String message) {
    this(message, null);
  }

  /** The store is silent or out of reach. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
    refused = false;
  }

  private StoreUnavailableException(String message, boolean refused) {
    super(message);
    this.refused = refused;
  }

  /** The store is there and says no: out of memory, foreign data, missing rights. */
  public static StoreUnavailableException refused(String message) {
    return new StoreUnavailableException(message, true);
  }

  /** Whether the store answered, with an error: waiting for it would have been no use. */
  public boolean isRefusal() {
    return refused;
  }

  /**
   * The same failure with the stack of the calling thread. The original may be shared by many
   * calls, so nothing is added to it.
   */
  StoreUnavailableException rethrown() {
    StoreUnavailableException here = new StoreUnavailableException(getMessage(), refused);
    here.initCause(this);
    return here;
  }
}
