package dev.weir.server.http;

/** A request that cannot be answered, and what is wrong with it, for the client to read. */
public final class BadRequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  final int status;

  public BadRequestException(int status, String detail) {
    super(detail, null, false, false); // no stack: anybody can cause any number of these
    this.status = status;
  }

  public BadRequestException(String detail) {
    this(400, detail);
  }
}
