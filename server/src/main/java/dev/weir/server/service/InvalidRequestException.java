package dev.weir.server.service;

/** A request that makes no sense for the rules in effect; the message is for the client. */
public final class InvalidRequestException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public InvalidRequestException(String message) {
    super(message, null, false, false); // no stack: a client can cause any number of these
  }
}
