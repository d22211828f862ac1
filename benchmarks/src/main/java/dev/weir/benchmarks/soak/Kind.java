package dev.weir.benchmarks.soak;

import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What a request asks for; each has a rule of its own, which it overloads unless said otherwise.
 */
enum Kind {
  /** Passes while Redis is away. */
  ALLOW(true),
  /** Is refused with 503 while Redis is away. */
  DENY(true),
  /** Is answered by the share of each instance while Redis is away. */
  LOCAL(true),
  /** Is counted and never denied. */
  SHADOW(false),
  /** Comes with a key that is never seen again, and is far below its limit. */
  FRESH(false);

  /** Whether admissions are counted against the limit. */
  final boolean limited;

  private final String path = "/" + name().toLowerCase(Locale.ROOT);

  Kind(boolean limited) {
    this.limited = limited;
  }

  String path() {
    return path;
  }

  /** The body of a question. */
  String question() {
    String user = this == FRESH ? Long.toHexString(ThreadLocalRandom.current().nextLong()) : "all";
    return "{\"attributes\":{\"path\":\"" + path + "\",\"user\":\"" + user + "\"}}";
  }
}
