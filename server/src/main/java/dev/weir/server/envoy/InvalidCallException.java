package dev.weir.server.envoy;

/** A call that cannot be answered as it is. Has no stack trace, because clients cause these. */
public final class InvalidCallException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  public InvalidCallException(String message) {
    super(message);
  }

  @Override
  public Throwable fillInStackTrace() {
    return this;
  }
}
