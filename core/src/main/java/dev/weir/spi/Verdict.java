package dev.weir.spi;

import dev.weir.Source;
import dev.weir.StoreUnavailableException;
import dev.weir.internal.Micros;
import org.jspecify.annotations.Nullable;

/**
 * A store's answer for one claim, with the state as it is after the question.
 *
 * @param atMicros the store's time of the answer, in microseconds since 1970; claims that live on
 *     different servers may have been answered by different clocks
 * @param fits whether this claim's permits were there; a claim that fits takes nothing when another
 *     one of the question denies. A charge, which takes always, fits if it left no debt
 * @param remaining permits another caller could take at this instant
 * @param retryAfterMicros the smallest wait after which this claim would fit; 0 if it does, {@link
 *     #NEVER} if it never can
 * @param resetAfterMicros until the key is fresh again
 * @param source what gave this answer
 * @param failure why the store has no answer for this claim; the other components then mean nothing
 * @param firstWarning whether this question took the use of a limit to its warn-at, which happens
 *     once in each of its windows
 */
public record Verdict(
    long atMicros,
    boolean fits,
    long remaining,
    long retryAfterMicros,
    long resetAfterMicros,
    Source source,
    @Nullable StoreUnavailableException failure,
    boolean firstWarning) {

  public static final long NEVER = Micros.NEVER;

  public Verdict(
      long atMicros, boolean fits, long remaining, long retryAfterMicros, long resetAfterMicros) {
    this(atMicros, fits, remaining, retryAfterMicros, resetAfterMicros, Source.STORE, null);
  }

  /** Without a warning. */
  public Verdict(
      long atMicros,
      boolean fits,
      long remaining,
      long retryAfterMicros,
      long resetAfterMicros,
      Source source,
      @Nullable StoreUnavailableException failure) {
    this(atMicros, fits, remaining, retryAfterMicros, resetAfterMicros, source, failure, false);
  }

  public static Verdict failed(StoreUnavailableException failure) {
    return new Verdict(0, false, 0, 0, 0, Source.FALLBACK, failure);
  }

  /** The same answer from another source. */
  public Verdict from(Source newSource) {
    return new Verdict(
        atMicros,
        fits,
        remaining,
        retryAfterMicros,
        resetAfterMicros,
        newSource,
        failure,
        firstWarning);
  }

  /** The same answer with another {@code firstWarning}. */
  public Verdict withFirstWarning(boolean first) {
    return first == firstWarning
        ? this
        : new Verdict(
            atMicros, fits, remaining, retryAfterMicros, resetAfterMicros, source, failure, first);
  }

  public boolean isFailure() {
    return failure != null;
  }
}
