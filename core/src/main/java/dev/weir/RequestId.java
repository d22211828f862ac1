package dev.weir;

import dev.weir.internal.Check;
import java.time.Duration;

/**
 * Names one request, so that sending it again costs nothing. Immutable.
 *
 * <p>The first decision with an id takes permits. The same claims asked again with the same id get
 * the same answer, marked {@link Decision#repeated}, and take nothing. A denial took nothing, so it
 * is decided again.
 *
 * <p>A request with a known id takes nothing. So accept ids only from callers that you trust, not
 * from the clients that are limited: a client could send all its requests with one id.
 *
 * @param text 1 to 256 characters, chosen by the caller: the same for every attempt
 * @param remembered how long the answer is repeated; a second to a day
 */
public record RequestId(String text, Duration remembered) {
  /** How long answers are repeated unless said otherwise. */
  public static final Duration USUAL = Duration.ofSeconds(60);

  private static final int LONGEST = 256;
  private static final Duration SHORTEST_TIME = Duration.ofSeconds(1);
  private static final Duration LONGEST_TIME = Duration.ofDays(1);

  public RequestId {
    Check.notBlank("id", text);
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "id must have at most " + LONGEST + " characters, was " + text.length());
    }
    Check.period("remembered", remembered);
    if (remembered.compareTo(SHORTEST_TIME) < 0 || remembered.compareTo(LONGEST_TIME) > 0) {
      throw new IllegalArgumentException(
          "remembered must be between 1 s and 1 day, was " + remembered);
    }
  }

  /** Remembered for 60 seconds. */
  public static RequestId of(String text) {
    return new RequestId(text, USUAL);
  }
}
