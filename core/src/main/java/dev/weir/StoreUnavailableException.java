package dev.weir;

import org.jspecify.annotations.Nullable;

/** The store could not answer; whether permits were taken may be unknown. */
public class StoreUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private enum FailureKind {
    SILENT,
    REFUSED,
    REFUSED_KEY
  }

  private final FailureKind kind;

  /** The store does not answer or cannot be reached. */
  public StoreUnavailableException(String message) {
    this(message, null);
  }

  /** The store does not answer or cannot be reached. */
  public StoreUnavailableException(String message, @Nullable Throwable cause) {
    this(message, cause, FailureKind.SILENT, true);
  }

  private StoreUnavailableException(
      String message, @Nullable Throwable cause, FailureKind kind, boolean writableStackTrace) {
    super(message, cause, true, writableStackTrace);
    this.kind = kind;
  }

  /**
   * The store does not answer or cannot be reached. Without a stack trace: for failures that are
   * made in large numbers and far from the caller. Each call gets an instance of its own.
   */
  public static StoreUnavailableException withoutStackTrace(String message) {
    return new StoreUnavailableException(message, null, FailureKind.SILENT, false);
  }

  /** The store answers every call with an error: out of memory, read-only, missing rights. */
  public static StoreUnavailableException refused(String message) {
    return new StoreUnavailableException(message, null, FailureKind.REFUSED, true);
  }

  /** The store answers calls for this key with an error: foreign data under its name. */
  public static StoreUnavailableException refusedKey(String message) {
    return new StoreUnavailableException(message, null, FailureKind.REFUSED_KEY, true);
  }

  /** Whether the store answered with an error, so that waiting longer would not have helped. */
  public boolean isRefusal() {
    return kind != FailureKind.SILENT;
  }

  /** Whether the refusal concerns one key, and so says nothing about the rest of the store. */
  public boolean concernsKey() {
    return kind == FailureKind.REFUSED_KEY;
  }

  /**
   * The same failure with the stack of the calling thread. The original may be shared by many
   * calls, so nothing is added to it.
   */
  StoreUnavailableException rethrown() {
    return new StoreUnavailableException(getMessage(), this, kind, true);
  }
}
