package dev.weir.httpclient;

import java.io.IOException;
import java.time.Duration;

/** A request was not sent, because the server's limits would have made it wait for too long. */
public final class WaitTooLongException extends IOException {
  private static final long serialVersionUID = 1;

  private final Duration wait;

  WaitTooLongException(Duration wait, Duration most) {
    super("wait must be at most " + most + ", was " + wait);
    this.wait = wait;
  }

  /** How long the request would have waited: try again after that. */
  public Duration retryAfter() {
    return wait;
  }
}
