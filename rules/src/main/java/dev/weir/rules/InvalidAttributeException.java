package dev.weir.rules;

/** An attribute of a request cannot be used as the rules need it; names the attribute. */
public final class InvalidAttributeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public InvalidAttributeException(String message) {
    super(message);
  }

  /** Without a stack: a client can cause any number of these. */
  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
