package dev.weir.benchmarks.soak;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One answer to a question.
 *
 * @param sentMillis since 1970, as is {@code doneMillis}
 * @param source what decided, as the service names it
 */
record CheckAnswer(
    RequestKind kind, long sentMillis, long doneMillis, long micros, int status, String source) {
  static final String STORE = "store";
  static final String FALLBACK = "fallback";

  boolean admitted() {
    return status == 200;
  }

  boolean isFallback() {
    return source.equals(FALLBACK);
  }

  /** Whether Redis or the service could have seen it in one window only. */
  boolean inOneWindow() {
    return window() == doneMillis / SoakRules.WINDOW_MILLIS;
  }

  long window() {
    return sentMillis / SoakRules.WINDOW_MILLIS;
  }

  /**
   * What its rule does not permit.
   *
   * @param well whether nothing was done to Redis while it was under way, nor shortly before
   */
  Optional<String> fault(boolean well) {
    if (status != 200 && status != 429 && status != 503) {
      return Optional.of(kind + " was answered " + status);
    }
    if (isFallback() && well) {
      return Optional.of(kind + " was answered without Redis while it was well");
    }
    return isFallback() ? wrongFallback() : wrongDecision();
  }

  private Optional<String> wrongFallback() {
    boolean right =
        switch (kind) {
          case ALLOW, SHADOW -> status == 200;
          case DENY -> status == 503;
          case LOCAL, FRESH -> status != 503;
        };
    return right ? Optional.empty() : Optional.of(kind + " was answered " + status + " by policy");
  }

  private Optional<String> wrongDecision() {
    boolean right = status == 200 || status == 429 && kind.limited;
    return right ? Optional.empty() : Optional.of(kind + " was answered " + status);
  }

  /**
   * What a request asks for; each has a rule of its own, which it overloads unless said otherwise.
   */
  enum RequestKind {
    /** Passes while Redis is down. */
    ALLOW(true),
    /** Is refused with 503 while Redis is down. */
    DENY(true),
    /** Is answered by the share of each instance while Redis is down. */
    LOCAL(true),
    /** Is counted and never denied. */
    SHADOW(false),
    /** Comes with a key that is never seen again, and is far below its limit. */
    FRESH(false);

    /** Whether admissions are counted against the limit. */
    final boolean limited;

    private final String path = "/" + name().toLowerCase(Locale.ROOT);

    RequestKind(boolean limited) {
      this.limited = limited;
    }

    String path() {
      return path;
    }

    /** The body of a question. */
    String question() {
      String user =
          this == FRESH ? Long.toHexString(ThreadLocalRandom.current().nextLong()) : "all";
      return "{\"attributes\":{\"path\":\"" + path + "\",\"user\":\"" + user + "\"}}";
    }
  }
}
