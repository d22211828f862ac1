package dev.weir.http;

import java.time.Duration;

/**
 * Whole seconds, as HTTP counts time: rounded up, so that a client that waits has waited long
 * enough.
 */
final class WholeSeconds {
  private WholeSeconds() {}

  static long roundedUp(Duration duration) {
    long whole = duration.getSeconds();
    return duration.getNano() == 0 || whole == Long.MAX_VALUE ? whole : whole + 1;
  }
}
