package dev.weir.spring.internal.store;

/** The application cannot start, because its Redis cannot be reached or used. */
public final class StoreNotReachedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  private final String address;

  StoreNotReachedException(String address, Throwable cause) {
    super(cause.getMessage(), cause);
    this.address = address;
  }

  /** For people: without a password. */
  public String address() {
    return address;
  }
}
